import { describe, expect, it } from 'vitest';
import { editorProxy, hasLogin, readProxy } from '#editor/proxy.ts';

const noTerminal = { env: {}, askPassword: undefined };

describe('the proxy of an editor', () => {
  it('accepts an HTTP proxy for an editor, with a percent-encoded login', async () => {
    expect(await editorProxy('http://10.0.0.2:7890', noTerminal)).toBe('http://10.0.0.2:7890');
    const askPassword = async () => 'p@ss:/ä';
    expect(await editorProxy('http://me@10.0.0.2:7890', { env: {}, askPassword })).toBe(
      'http://me:p%40ss%3A%2F%C3%A4@10.0.0.2:7890',
    );
  });

  it.each([
    ['socks5://10.0.0.2:7891', 'editors ignore'],
    ['10.0.0.2:7890', 'must be a URL'],
    ['http://10.0.0.2:7890/path', 'must end after its port'],
    ['http://me:secret@10.0.0.2:7890/path', 'must end after its port'],
    ['http://me:secret@10.0.0.2:7890', 'contains a password'],
    ['http://me@10.0.0.2:7890', 'password of the proxy is missing'],
  ])('rejects the proxy of an editor without repeating it: %s', async (text, reason) => {
    const error = await editorProxy(text, noTerminal).catch((caught: Error) => caught);
    expect(error).toMatchObject({ code: 'USAGE', message: expect.stringContaining(reason) });
    expect(error).not.toMatchObject({ message: expect.stringContaining('secret') });
  });

  it('finds a login in the proxy of an editor', () => {
    expect([hasLogin('http://a@b:1'), hasLogin('http://b:1')]).toEqual([true, false]);
  });
});

const read = (settings: object) =>
  readProxy({ path: 'settings.json', entries: Object.entries(settings) });

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

  it('warns about proxy settings that work only in part', () => {
    const { warnings } = read({ 'http.proxy': 'socks5://p:1', 'http.proxyStrictSSL': false });
    expect(warnings.map(({ kind }) => kind)).toEqual(['socks', 'no-verification']);
  });
});
