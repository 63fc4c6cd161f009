import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { siteSchema } from '#contract/site/site.ts';
import { applyVariables } from '#contract/site/variables.ts';

function applied(site: Record<string, unknown>) {
  const min = {
    release: ['https://example.org/r/'],
    admin: { ssh_keys: ['ssh-ed25519 AAAA me@laptop'] },
  };
  return applyVariables(siteSchema.parse({ ...min, ...site }));
}

describe("the specification's variables in a site (SPEC 2.2, 2.5)", () => {
  it('set the providers of the two front-ends', () => {
    const variables = {
      PROVIDER_BASE_URL: 'https://api.openai.com/v1',
      SECOND_PROVIDER_BASE_URL: 'https://api.deepseek.com/v1',
    };
    expect(applied({ variables }).providers).toEqual({
      provider: { base_url: 'https://api.openai.com/v1' },
      'second-provider': { base_url: 'https://api.deepseek.com/v1' },
    });
  });

  it('include the base URL variable of the second front-end', () => {
    const variables = { PROVIDER_PROXY_URL: 'https://llm.example.net/v1' };
    expect(applied({ variables }).providers.provider?.base_url).toBe('https://llm.example.net/v1');
  });

  it('set the route with proxy variables', () => {
    const variables = {
      HTTP_PROXY: 'http://10.0.0.2:7890',
      HTTPS_PROXY: 'http://10.0.0.2:7891',
      NO_PROXY: 'localhost, *.local,10.0.0.0/8,',
    };
    expect(applied({ variables }).route).toEqual({
      mode: 'http-proxy',
      url: 'http://10.0.0.2:7891',
      no_proxy: ['localhost', '*.local', '10.0.0.0/8'],
    });
  });

  it('set up the proxy container', () => {
    const variables = {
      TINYPROXY_USERNAME: 'me',
      TINYPROXY_PASSWORD: '',
      TINYPROXY_ALLOW: '0.0.0.0/0',
    };
    expect(applied({ variables }).tinyproxy).toEqual({ username: 'me', allow: ['0.0.0.0/0'] });
  });

  it('do not override a setting', () => {
    const site = applied({
      tinyproxy: { username: 'you', allow: ['10.0.0.0/8'] },
      variables: { TINYPROXY_USERNAME: 'me', TINYPROXY_ALLOW: '0.0.0.0/0' },
    });
    expect(site.tinyproxy).toEqual({ username: 'you', allow: ['10.0.0.0/8'] });
  });

  it('removes applied variables of the specification, so that a second call changes nothing', () => {
    const once = applied({
      variables: { HTTPS_PROXY: 'http://10.0.0.2:1', OLLAMA_KEEP_ALIVE: '1h' },
    });
    expect(once.variables).toEqual({ OLLAMA_KEEP_ALIVE: '1h' });
    expect(applyVariables(once)).toEqual(once);
  });

  it.each([
    { PROVIDER_API_KEY: 'x' },
    { TINYPROXY_PASSWORD: 'x' },
    { OLLAMA_KEEP_ALIVE: 'soon' },
    { TINYPROXY_ALLOW: 'all' },
    { HTTP_PROXY: 'socks5://10.0.0.2:1' },
  ])('do not include %o', (variables) => {
    expect(() => applied({ variables })).toThrow(Object.keys(variables).join());
  });
});

describe('any variables of a site', () => {
  // Regression: the builder accepted variables that the server rejected.
  it('rejects any variables of a site in the builder, or applies them readably for the server', () => {
    const min = { release: ['https://e.org/r/'], admin: { ssh_keys: ['ssh-ed25519 AAAA'] } };
    const exempt = fc.oneof(
      fc.string(),
      fc
        .array(fc.constantFrom('localhost', ' *.local', '10.0.0.0/8', '[::1]', 'a b', '$x', ''))
        .map((entries) => entries.join(',')),
    );
    const url = fc.oneof(
      fc.webUrl(),
      fc.string().map((tail) => `http://10.0.0.2:1/${tail}`),
    );
    let read = 0;
    fc.assert(
      fc.property(exempt, url, url, (NO_PROXY, HTTPS_PROXY, PROVIDER_BASE_URL) => {
        const variables = { NO_PROXY, HTTPS_PROXY, PROVIDER_BASE_URL };
        const taken = siteSchema.safeParse({ ...min, variables });
        if (!taken.success) return;
        read += 1;
        const site = applyVariables(taken.data);
        expect(siteSchema.safeParse(JSON.parse(JSON.stringify(site))).success).toBe(true);
      }),
      // Random values may all be rejected.
      { examples: [['localhost', 'http://10.0.0.2:1/', 'https://api.example.com/v1']] },
    );
    expect(read).toBeGreaterThan(0);
  });
});
