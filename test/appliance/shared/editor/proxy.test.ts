import { describe, expect, it } from 'vitest';
import {
  editorProxy,
  hasLogin,
  isExemptInEditor,
  maskedProxy,
  readProxy,
  uselessEntries,
} from '#editor/proxy.ts';
import { parseSettings } from '#editor/settings-text.ts';

describe('the proxy of an editor', () => {
  it('accepts an HTTP proxy for an editor, with a percent-encoded login', () => {
    expect(editorProxy('http://10.0.0.2:7890')).toBe('http://10.0.0.2:7890');
    const login = { user: 'me', password: 'p@ss:/ä' };
    expect(editorProxy('http://10.0.0.2:7890', login)).toBe(
      'http://me:p%40ss%3A%2F%C3%A4@10.0.0.2:7890',
    );
  });

  it.each([
    ['socks5://10.0.0.2:7891', 'SOCKS'],
    ['10.0.0.2:7890', 'must be a URL'],
    ['http://10.0.0.2:7890/path', 'must end after its port'],
    ['http://me:secret@10.0.0.2:7890/path', 'must end after its port'],
  ])('rejects the proxy of an editor without repeating it: %s', (text, reason) => {
    const error = expect.objectContaining({ code: 'USAGE' });
    expect(() => editorProxy(text)).toThrow(error);
    expect(() => editorProxy(text)).toThrow(reason);
    expect(() => editorProxy(text)).not.toThrow('secret');
  });

  it('shows the proxy of an editor without its password', () => {
    expect(maskedProxy('http://me:p%40ss@10.0.0.2:7890')).toBe('http://me:***@10.0.0.2:7890');
    expect(maskedProxy('http://10.0.0.2:7890')).toBe('http://10.0.0.2:7890');
    expect([hasLogin('http://a@b:1'), hasLogin('http://b:1')]).toEqual([true, false]);
  });
});

const read = (settings: object, env = {}) =>
  readProxy(parseSettings(JSON.stringify(settings), 'settings.json'), 'settings.json', env);

describe('the proxy in the settings', () => {
  it.each([
    [{}, 'is not set'],
    [{ 'http.proxy': '' }, 'is not set'],
    [{ 'http.proxy': 'http://p:1', 'http.proxySupport': 'off' }, 'is "off"'],
    [{ 'http.proxy': 'p:1' }, 'is not a URL'],
  ])('reports a proxy in the settings that the editor ignores: %j', (settings, reason) => {
    expect(() => read(settings)).toThrow(reason);
    expect(() => read(settings)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });

  it('uses NO_PROXY only without http.noProxy', () => {
    const env = { NO_PROXY: 'a.example, b.example' };
    expect(read({ 'http.proxy': 'http://p:1' }, env).exempt).toEqual(['a.example', 'b.example']);
    const both = { 'http.proxy': 'http://p:1', 'http.noProxy': ['c.example'] };
    expect(read(both, env).exempt).toEqual(['c.example']);
  });

  it('warns about proxy settings that work only in part', () => {
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

describe('an exemption in an editor', () => {
  it.each([
    ['example.com', ['example.com'], true],
    ['api.example.com', ['example.com'], true],
    ['api.example.com', ['.example.com'], true],
    ['API.example.com', ['EXAMPLE.com'], true],
    ['notexample.com', ['example.com'], false],
    ['example.com', ['*'], true],
    ['example.com', ['example.com:443'], true],
    ['example.com', ['example.com:80'], false],
    // Measured with @vscode/proxy-agent: no ranges, no other patterns.
    ['10.1.2.3', ['10.0.0.0/8'], false],
    ['api.example.com', ['*.example.com'], false],
    ['example.com', ['', ' '], false],
  ])('%s is matched by %j: %s', (host, entries, expected) => {
    expect(isExemptInEditor(host, '443', entries)).toBe(expected);
  });

  it('finds an exemption in an editor useless if editors never match it', () => {
    expect(uselessEntries(['10.0.0.0/8', '*.a.example', '*', 'a.example'])).toEqual([
      '10.0.0.0/8',
      '*.a.example',
    ]);
  });
});
