import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  codeBlock,
  codeOf,
  htmlCodeOf,
  proseOf,
} from '../../../../builder/diff/print/escape-markdown.ts';

/** Replaces entities by their characters, as a renderer does after it has found the syntax. */
const decode = (text: string) =>
  text.replace(/&#(\d+);/g, (_match, code: string) => String.fromCodePoint(Number(code)));

const hostile = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.constantFrom(...'`|\\*_[]()<>!&#@~:/$a1 .'), { maxLength: 30 })
    .map((parts) => parts.join('')),
);

describe('a name as code', () => {
  it('is a code span', () => {
    expect(codeOf('ghcr.io/open-webui/open-webui:v0.12.4')).toBe(
      '`ghcr.io/open-webui/open-webui:v0.12.4`',
    );
  });

  it.each(['a`b', '``', 'a|b', 'a\\|b', '<img src=x>|`', '\\'])(
    'has entities instead of punctuation if a code span cannot hold it: %s',
    (name) => {
      expect(codeOf(name)).toMatch(/^<code>(?:[A-Za-z0-9 ]|&#\d+;)*<\/code>$/);
    },
  );

  it('never ends its code or its cell, and keeps its text', () => {
    fc.assert(
      fc.property(hostile, (name) => {
        const code = codeOf(name);
        const inner = code.replace(/^(?:`|<code>)|(?:`|<\/code>)$/g, '');
        expect(inner).not.toMatch(/[`|]/);
        expect(code.startsWith('`') ? inner : decode(inner)).toBe(name);
      }),
    );
  });
});

describe('a name as code in an HTML block', () => {
  it('has no tags and no entities of its own', () => {
    expect(htmlCodeOf('compose/<b>&lt;')).toBe('<code>compose/&#60;b&#62;&#38;lt;</code>');
  });
});

describe('a sentence with a name', () => {
  it('cannot begin a link, a mention, emphasis, code or HTML', () => {
    fc.assert(
      fc.property(hostile, (name) => {
        const prose = proseOf(name);
        // Not removed: what is around an entity does not meet.
        expect(prose.replace(/&#\d+;/g, 'x')).not.toMatch(/[\\`*_~[\]<>&|@#]|:\/\//);
        expect(decode(prose)).toBe(name);
      }),
      { examples: [[':/`/']] },
    );
  });
});

describe('a block of code', () => {
  it('has a fence that is longer than any in its lines', () => {
    expect(codeBlock('diff', ['+a'])).toEqual(['```diff', '+a', '```']);
    expect(codeBlock('diff', ['+```', '````'])).toEqual(['`````diff', '+```', '````', '`````']);
  });
});
