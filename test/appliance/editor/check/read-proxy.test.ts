import { describe, expect, it } from 'vitest';
import { readProxy } from '#editor/check/read-proxy.ts';
import { parseSettings } from '#editor/jsonc/parse-settings.ts';

const read = (settings: object, env = {}) =>
  readProxy(parseSettings(JSON.stringify(settings), 'settings.json'), 'settings.json', env);

describe('the proxy in the settings', () => {
  it.each([
    [{}, 'is not set'],
    [{ 'http.proxy': '' }, 'is not set'],
    [{ 'http.proxy': 'http://p:1', 'http.proxySupport': 'off' }, 'is "off"'],
    [{ 'http.proxy': 'p:1' }, 'is not a URL'],
  ])('is reported if the editor ignores it: %j', (settings, reason) => {
    expect(() => read(settings)).toThrow(reason);
    expect(() => read(settings)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });

  it('uses NO_PROXY only without http.noProxy', () => {
    const env = { NO_PROXY: 'a.example, b.example' };
    expect(read({ 'http.proxy': 'http://p:1' }, env).exempt).toEqual(['a.example', 'b.example']);
    const both = { 'http.proxy': 'http://p:1', 'http.noProxy': ['c.example'] };
    expect(read(both, env).exempt).toEqual(['c.example']);
  });

  it('has warnings for what works only in part', () => {
    const { warnings } = read({
      'http.proxy': 'socks5://p:1',
      'http.noProxy': ['10.0.0.0/8'],
      'http.proxyStrictSSL': false,
    });
    expect(warnings.map(({ kind }) => kind)).toEqual([
      'socks',
      'no-proxy-entry',
      'no-verification',
    ]);
  });
});
