import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withBlock, withoutBlock } from '#proxy-settings/marked-block.ts';

const lines = '. /a\n';
const marked = withBlock('', lines);

describe('a marked block', () => {
  it('is at the end of a file', () => {
    expect(withBlock('alias ll=ls\n', lines)).toBe(
      'alias ll=ls\n# >>> landfall route >>>\n. /a\n# <<< landfall route <<<\n',
    );
  });

  it('is replaced where it is', () => {
    const text = `before\n${marked}after\n`;
    expect(withBlock(text, '. /b\n')).toBe(text.replace('. /a', '. /b'));
    expect(withBlock(text, lines)).toBe(text);
  });

  it('is removed without a trace, whatever the file contained', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '#', '$&') }), (text) => {
        expect(withoutBlock(withBlock(text, '$& $1\n'))).toBe(text);
        expect(withoutBlock(withBlock(withBlock(text, lines), '$&\n'))).toBe(text);
      }),
    );
  });

  it('keeps what the user added after it', () => {
    expect(withoutBlock(`${withBlock('open', lines)}added\n`)).toBe('openadded\n');
  });
});
