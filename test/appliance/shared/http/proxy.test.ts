import { describe, expect, it } from 'vitest';
import { chooseProxy, isLoopback } from '#http/proxy.ts';

const https = new URL('https://registry.example/v2/');
const http = new URL('http://registry.example/v2/');
const chosen = (url: URL, env: NodeJS.ProcessEnv, proxy?: string) =>
  chooseProxy(url, { env, proxy })?.url.href;

describe('the proxy of the environment', () => {
  it('depends on the scheme of the request', () => {
    const env = { HTTPS_PROXY: 'http://one:1', HTTP_PROXY: 'http://two:2' };
    expect(chosen(https, env)).toBe('http://one:1/');
    expect(chosen(http, env)).toBe('http://two:2/');
  });

  it('reads the proxy from lower-case variables first', () => {
    expect(chosen(https, { HTTPS_PROXY: 'http://upper:1', https_proxy: 'http://lower:1' })).toBe(
      'http://lower:1/',
    );
  });

  it('uses ALL_PROXY without a variable for the scheme', () => {
    const env = { ALL_PROXY: 'socks5://all:1080', http_proxy: 'http://two:2' };
    expect(chosen(https, env)).toBe('socks5://all:1080');
    expect(chosen(http, env)).toBe('http://two:2/');
  });

  it('returns no proxy if no variable is set, or only blank ones', () => {
    expect(chosen(https, {})).toBeUndefined();
    expect(chosen(https, { https_proxy: '', HTTPS_PROXY: ' ' })).toBeUndefined();
  });

  it('may be written without a scheme', () => {
    expect(chosen(https, { https_proxy: '10.0.0.2:7890' })).toBe('http://10.0.0.2:7890/');
  });

  it('bypasses the proxy for hosts in NO_PROXY', () => {
    const env = { https_proxy: 'http://one:1', NO_PROXY: 'registry.example' };
    expect(chosen(https, env)).toBeUndefined();
  });

  it.each(['localhost', 'a.localhost', '127.0.0.1', '127.9.9.9', '[::1]', 'LOCALHOST.'])(
    'bypasses the proxy for %s',
    (host) => {
      const env = { http_proxy: 'http://one:1' };
      expect(chosen(new URL(`http://${host}:5000/`), env)).toBeUndefined();
    },
  );
});

describe('a proxy given as an option', () => {
  it('uses a proxy given as an option for every host, regardless of NO_PROXY and loopback', () => {
    const env = { NO_PROXY: '*', https_proxy: 'http://one:1' };
    expect(chosen(https, env, 'http://given:9')).toBe('http://given:9/');
    expect(chosen(new URL('http://127.0.0.1/'), env, 'http://given:9')).toBe('http://given:9/');
  });

  it('ignores an empty proxy option', () => {
    expect(chosen(https, { https_proxy: 'http://one:1' }, '')).toBe('http://one:1/');
  });
});

describe('the credentials of a proxy', () => {
  it('decodes the credentials of a proxy and removes them from its URL', () => {
    expect(chooseProxy(https, { env: {}, proxy: 'https://a%40b:c%2Fd@proxy:8443' })).toEqual({
      kind: 'http',
      url: new URL('https://proxy:8443'),
      username: 'a@b',
      password: 'c/d',
    });
  });
});

describe('an invalid proxy URL', () => {
  it.each(['ftp://x', 'http://', 'http://%zz:secret@proxy', 'socks4://x'])(
    'rejects an invalid proxy URL without printing it: %s',
    (proxy) => {
      expect(() => chooseProxy(https, { env: {}, proxy })).toThrow(
        expect.objectContaining({
          code: 'NETWORK_PROXY',
          message: 'the value of the proxy option is not a proxy URL',
        }),
      );
      expect(() => chooseProxy(https, { env: {}, proxy })).not.toThrow(
        expect.objectContaining({ cause: expect.anything() }),
      );
    },
  );

  it('reports an invalid proxy URL with the name of its variable', () => {
    expect(() => chooseProxy(https, { env: { https_proxy: 'ftp://x' } })).toThrow(
      'the value of HTTPS_PROXY is not a proxy URL',
    );
  });
});

describe('loopback', () => {
  it.each(['127.0.0.2', 'localhost', '[::1]'])('recognises %s as a loopback host', (host) => {
    expect(isLoopback(new URL(`http://${host}/`))).toBe(true);
  });

  it.each(['128.0.0.1', 'localhost.example', '[::2]', 'notlocalhost'])(
    'treats %s as a host other than loopback',
    (host) => {
      expect(isLoopback(new URL(`http://${host}/`))).toBe(false);
    },
  );
});
