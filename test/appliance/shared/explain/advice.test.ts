import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adviceOn } from '#explain/advice.ts';

describe('advice on a host name', () => {
  it.each([
    ['Chat.Example.com', 'The value is Chat.Example.com; write chat.example.com.'],
    [
      'https://chat.example.com/',
      'The value is https://chat.example.com/; write chat.example.com.',
    ],
    ['chat.example.com:443', 'The value is chat.example.com:443; write chat.example.com.'],
    ['chat.example.com.', 'The value is chat.example.com.; write chat.example.com.'],
    ['localhost', 'The value is localhost.'],
    ['*.example.com', 'The value is *.example.com.'],
    [
      '203.0.113.7',
      'The value is 203.0.113.7; an IP address is not a host name: remove hosts to serve the UI at the address.',
    ],
    [
      '[2001:db8::7]',
      'The value is [2001:db8::7]; an IP address is not a host name: remove hosts to serve the UI at the address.',
    ],
  ])('for %s', (value, advice) => {
    expect(adviceOn(['hosts', 'ui'], value)).toBe(advice);
  });
});

describe('advice', () => {
  it('does not print values of fields that may contain a secret', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(['providers', 'x', 'base_url'], ['route', 'url'], ['note'], ['hosts']),
        fc.string(),
        (path, value) => {
          expect(adviceOn(path, value)).toBeUndefined();
        },
      ),
    );
  });

  it.each(['sk-abcdefgh12345678', 'a'.repeat(81), 'two\nlines', '\u001b[31mred', ''])(
    'does not print an unsafe value: %j',
    (value) => {
      expect(adviceOn(['hosts', 'ui'], value)).toBeUndefined();
    },
  );

  it.each([
    [['models', 0], 'qwen3'],
    [['models', 0, 'name'], 'Qwen 3'],
    [['ports', 'ui'], 70000],
    [['admin', 'email'], 'me@'],
    [['firewall', 'allow', 0], 8443],
  ])('prints the value of a field without secrets: %j', (path, value) => {
    expect(adviceOn(path, value)).toBe(`The value is ${value}.`);
  });

  it.each([
    [['hosts', 'ui'], '聊天.中国', 'xn--rss932g.xn--fiqs8s'],
    [['release', 0], 'https://下载.example.com/landfall', 'xn--ghq880n.example.com'],
  ])('names the ASCII form of a host name in another script: %j', (path, value, ascii) => {
    expect(adviceOn(path, value)).toBe(`In DNS, this name is ${ascii}: write that.`);
  });

  it('prints the value, or is undefined', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const start = `The value is ${value}`;
        expect((adviceOn(['hosts', 'ui'], value) ?? start).startsWith(start)).toBe(true);
      }),
    );
  });
});
