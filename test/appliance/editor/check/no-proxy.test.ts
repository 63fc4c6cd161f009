import { describe, expect, it } from 'vitest';
import { isExemptInEditor, uselessEntries } from '#editor/check/no-proxy.ts';

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

  it('is useless if editors never match it', () => {
    expect(uselessEntries(['10.0.0.0/8', '*.a.example', '*', 'a.example'])).toEqual([
      '10.0.0.0/8',
      '*.a.example',
    ]);
  });
});
