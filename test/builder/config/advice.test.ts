import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adviceOn } from '../../../builder/config/advice.ts';

describe('advice on a host name', () => {
  it.each([
    ['Chat.Example.com', 'It says Chat.Example.com; write chat.example.com.'],
    ['https://chat.example.com/', 'It says https://chat.example.com/; write chat.example.com.'],
    ['chat.example.com:443', 'It says chat.example.com:443; write chat.example.com.'],
    ['chat.example.com.', 'It says chat.example.com.; write chat.example.com.'],
    [
      'localhost',
      'It says localhost; write the whole name that your DNS has, such as chat.example.com.',
    ],
    [
      '*.example.com',
      'It says *.example.com; write the whole name that your DNS has, such as chat.example.com.',
    ],
    [
      '203.0.113.7',
      'It says 203.0.113.7; an address is no host name: leave hosts out, and the UI answers under the address.',
    ],
    [
      '[2001:db8::7]',
      'It says [2001:db8::7]; an address is no host name: leave hosts out, and the UI answers under the address.',
    ],
  ])('for %s', (value, advice) => {
    expect(adviceOn(['hosts', 'ui'], value)).toBe(advice);
  });
});

describe('advice on a model', () => {
  it.each([
    [
      'qwen3',
      'It says qwen3; write its size too, such as qwen3:8b; https://ollama.com/library/qwen3/tags lists them.',
    ],
    [
      'qwen3:8b?',
      'It says qwen3:8b?; a tag has letters, digits, dots, dashes and underscores, as in qwen3:8b.',
    ],
    ['Qwen 3', 'It says Qwen 3; write a name and a size, such as qwen3:8b.'],
  ])('for %s', (value, advice) => expect(adviceOn(['models', 0], value)).toBe(advice));
});

describe('advice', () => {
  it('repeats no word of fields in which a secret could stand', () => {
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

  it.each([
    'sk-abcdefgh12345678',
    'a'.repeat(81),
    'two\nlines',
    '\u001b[31mred',
    'кириллица.example',
    '',
  ])('repeats nothing odd: %j', (value) => {
    expect(adviceOn(['hosts', 'ui'], value)).toBeUndefined();
  });

  it('is a sentence that shows the value, or nothing', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const start = `It says ${value}; `;
        expect((adviceOn(['hosts', 'ui'], value) ?? start).startsWith(start)).toBe(true);
      }),
    );
  });
});
