import { describe, expect, it } from 'vitest';
import { editorProxy, hasLogin, maskedProxy } from '#editor/proxy-url.ts';

describe('the proxy of an editor', () => {
  it('is an HTTP proxy, with a percent-encoded login', () => {
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
  ])('is rejected without repeating it: %s', (text, reason) => {
    const error = expect.objectContaining({ code: 'USAGE' });
    expect(() => editorProxy(text)).toThrow(error);
    expect(() => editorProxy(text)).toThrow(reason);
    expect(() => editorProxy(text)).not.toThrow('secret');
  });

  it('is shown without its password', () => {
    expect(maskedProxy('http://me:p%40ss@10.0.0.2:7890')).toBe('http://me:***@10.0.0.2:7890');
    expect(maskedProxy('http://10.0.0.2:7890')).toBe('http://10.0.0.2:7890');
    expect([hasLogin('http://a@b:1'), hasLogin('http://b:1')]).toEqual([true, false]);
  });
});
