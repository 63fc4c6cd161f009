import { describe, expect, it } from 'vitest';
import { environmentIn, environmentOf, filesOf, siteOnServer } from './rendered.ts';

const both = { chat: true, lobe: true };
const base = 'https://api.openai.com/v1';
const second = 'https://api.deepseek.com/v1';
const proxy = 'http://10.0.0.2:7890';

type Files = Readonly<Record<string, string>>;
const relayOf = (files: Files) => JSON.parse(files['relay/relay.json'] ?? '{}');

/** A row of SPEC 2.2 or 2.5: the variable, its value, and where it takes effect. */
interface Row {
  readonly variable: string;
  readonly value: string;
  /** Other fields of the site that it requires. */
  readonly beside?: Readonly<Record<string, string>>;
  readonly proves: (files: Files) => void;
}

const throughProxy = (files: Files) => {
  expect(relayOf(files).route).toMatchObject({ mode: 'http-proxy', url: proxy });
  expect(files['engine/secrets.env']).toContain(`HTTPS_PROXY='${proxy}'`);
  expect(files['acme/secrets.env']).toContain(`HTTPS_PROXY='${proxy}'`);
  expect(files['tinyproxy/tinyproxy.conf']).toContain('Upstream http 10.0.0.2:7890');
};
const exempt = (files: Files) => {
  expect(relayOf(files).route.no_proxy).toEqual(['localhost', '10.0.0.0/8', '*.local']);
  expect(files['engine/secrets.env']).toMatch(/^NO_PROXY='.*\*\.local.*'$/m);
};

const rows: readonly Row[] = [
  ...['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'].map((variable) => ({
    variable,
    value: proxy,
    proves: throughProxy,
  })),
  ...['no_proxy', 'NO_PROXY'].map((variable) => ({
    variable,
    value: 'localhost, 10.0.0.0/8,*.local',
    beside: { HTTPS_PROXY: proxy },
    proves: exempt,
  })),
  {
    variable: 'TINYPROXY_USERNAME',
    value: 'me',
    proves: (files) =>
      expect(files['tinyproxy/tinyproxy.conf']).toContain('BasicAuth me secret-of-TINYPROXY_PASS'),
  },
  {
    variable: 'TINYPROXY_PASSWORD',
    value: '',
    proves: (files) =>
      expect(files['tinyproxy/tinyproxy.conf']).toContain('secret-of-TINYPROXY_PASSWORD'),
  },
  {
    variable: 'TINYPROXY_ALLOW',
    value: '0.0.0.0/0',
    proves: (files) => expect(files['tinyproxy/tinyproxy.conf']).toContain('Allow 0.0.0.0/0'),
  },
  {
    variable: 'PROVIDER_BASE_URL',
    value: base,
    proves: (files) => {
      expect(relayOf(files).providers.provider.base_url).toBe(base);
      // The name of the variable in NextChat.
      expect(files['chat/secrets.env']).toContain("BASE_URL='http://relay:8080/provider'");
    },
  },
  {
    variable: 'PROVIDER_PROXY_URL',
    value: base,
    proves: (files) => {
      expect(relayOf(files).providers.provider.base_url).toBe(base);
      expect(files['lobe/secrets.env']).toContain(
        "OPENAI_PROXY_URL='http://relay:8080/provider/v1'",
      );
    },
  },
  {
    variable: 'SECOND_PROVIDER_BASE_URL',
    value: second,
    beside: { PROVIDER_BASE_URL: base },
    proves: (files) => {
      expect(relayOf(files).providers['second-provider'].base_url).toBe(second);
      expect(files['lobe/secrets.env']).toContain("='http://relay:8080/second-provider/v1'");
    },
  },
  {
    variable: 'PROVIDER_API_KEY',
    value: '',
    beside: { PROVIDER_BASE_URL: base },
    // The administrator sets it on the server under this name. The front-ends never get it.
    proves: (files) => {
      expect(files['relay/keys/provider']).toBe('secret-of-PROVIDER_API_KEY\n');
      expect(files['chat/secrets.env']).not.toContain('secret-of-PROVIDER_API_KEY');
    },
  },
  {
    variable: 'SECOND_PROVIDER_API_KEY',
    value: '',
    beside: { PROVIDER_BASE_URL: base, SECOND_PROVIDER_BASE_URL: second },
    proves: (files) =>
      expect(files['relay/keys/second-provider']).toBe('secret-of-SECOND_PROVIDER_API_KEY\n'),
  },
  {
    variable: 'OLLAMA_KEEP_ALIVE',
    value: '5m',
    proves: (files) => expect(environmentIn(files['.env']).OLLAMA_KEEP_ALIVE).toBe('5m'),
  },
  {
    variable: 'WEBUI_SECRET_KEY',
    value: '',
    proves: (files) =>
      expect(files['ui/secrets.env']).toContain("WEBUI_SECRET_KEY='secret-of-WEBUI_SECRET_KEY'"),
  },
  // Constant in compose.yaml: a site may set the same value.
  {
    variable: 'OLLAMA_HOST',
    value: '0.0.0.0',
    proves: () => expect(environmentOf('engine')).toContain('OLLAMA_HOST=0.0.0.0'),
  },
  {
    variable: 'OLLAMA_BASE_URL',
    value: 'http://engine:11434',
    proves: () => expect(environmentOf('ui')).toContain('OLLAMA_BASE_URL=http://engine:11434'),
  },
];

describe("the specification's variables, one by one (SPEC 2.2, 2.5)", () => {
  it.each(rows)('$variable is accepted and takes effect', async ({ variable, value, ...row }) => {
    const variables = { ...row.beside, [variable]: value };
    row.proves(await filesOf({ components: both, variables }));
  });

  it('can all be set together', async () => {
    const variables = Object.fromEntries(rows.map(({ variable, value }) => [variable, value]));
    const site = await siteOnServer({ components: both, variables });
    expect(Object.keys(site.providers)).toEqual(['provider', 'second-provider']);
    expect(site.route.mode).toBe('http-proxy');
  });
});

describe('a value that a variable may not have', () => {
  it.each([
    ['PROVIDER_API_KEY', 'abc', 'SITE_SECRET'],
    ['SECOND_PROVIDER_API_KEY', 'abc', 'SITE_SECRET'],
    ['TINYPROXY_PASSWORD', 'hunter2', 'SITE_SECRET'],
    ['WEBUI_SECRET_KEY', 'abc', 'SITE_SECRET'],
    ['OLLAMA_HOST', '127.0.0.1', 'CONFIG_INVALID'],
    ['OLLAMA_BASE_URL', 'http://localhost:11434', 'CONFIG_INVALID'],
    // Regression: the builder accepted values that the server rejected.
    ['NO_PROXY', 'a b', 'CONFIG_INVALID'],
    ['PROVIDER_BASE_URL', "https://x.example/'/v1", 'CONFIG_INVALID'],
    ['https_proxy', 'socks5://10.0.0.2:1', 'CONFIG_INVALID'],
  ])('%s: %s', async (variable, value, code) => {
    await expect(siteOnServer({ variables: { [variable]: value } })).rejects.toMatchObject({
      code,
      problems: [{ message: expect.stringContaining(variable) }],
    });
  });

  it('differs in upper and lower case', async () => {
    const variables = { HTTP_PROXY: proxy, http_proxy: 'http://10.0.0.3:1' };
    await expect(siteOnServer({ variables })).rejects.toMatchObject({
      problems: [
        { message: 'variables.http_proxy and variables.HTTP_PROXY have different values' },
      ],
    });
  });

  it('may be the password of a proxy with the flag, in either case', async () => {
    for (const name of ['HTTPS_PROXY', 'https_proxy']) {
      const variables = { [name]: 'http://me:pw@10.0.0.2:7890' };
      await expect(siteOnServer({ variables })).rejects.toMatchObject({ code: 'SITE_SECRET' });
      expect((await siteOnServer({ variables }, true)).route.mode).toBe('http-proxy');
    }
  });
});
