import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requireClosedBlock, withBlock, withoutBlock } from '#proxy-settings/marked-block.ts';

const lines = '. /a\n';
const marked = withBlock('', lines);

describe('a marked block', () => {
  it('appends a marked block at the end of a file', () => {
    expect(withBlock('alias ll=ls\n', lines)).toBe(
      'alias ll=ls\n# >>> landfall route >>>\n. /a\n# <<< landfall route <<<\n',
    );
  });

  it('replaces a marked block where it is', () => {
    const text = `before\n${marked}after\n`;
    expect(withBlock(text, '. /b\n')).toBe(text.replace('. /a', '. /b'));
    expect(withBlock(text, lines)).toBe(text);
  });

  it('removes a marked block without a trace, whatever the file contained', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', '#', '$&') }), (text) => {
        expect(withoutBlock(withBlock(text, '$& $1\n'))).toBe(text);
        expect(withoutBlock(withBlock(withBlock(text, lines), '$&\n'))).toBe(text);
      }),
    );
  });

  it('keeps the lines between a first line that lost its last line and a complete block', () => {
    const text = '# >>> landfall route >>>\nalias mine=ls\n';
    expect(withoutBlock(`${text}${marked}after\n`)).toBe(`${text}after\n`);
    expect(withoutBlock(withBlock(text, lines))).toBe(text);
  });

  it.each(['', 'mine\n', marked, `mine\n${marked}mine\n`, withBlock('open', lines)])(
    'accepts a complete marked block in %j',
    (text) => expect(() => requireClosedBlock(text, '.bashrc')).not.toThrow(),
  );

  it.each([
    '# >>> landfall route >>>\nmine\n',
    `# >>> landfall route >>>\nmine\n${marked}`,
    `${marked}# >>> landfall route >>>\nmine\n`,
    'open\n# >>> landfall route, after a line without an end >>>\nmine\n',
  ])('rejects a marked block without its last line in %j', (text) => {
    expect(() => requireClosedBlock(text, '.bashrc')).toThrow('.bashrc has a line of Landfall');
  });

  it.each([
    ' # >>> landfall route >>>',
    'x # >>> landfall route >>>',
    '# >>> landfall route >>> x',
  ])('does not begin in the middle of a line: %j', (line) => {
    const text = `${line}\nmine\n# <<< landfall route <<<\n`;
    expect(withoutBlock(text)).toBe(text);
    expect(withoutBlock(withBlock(text, lines))).toBe(text);
  });

  it('removes a marked block without the line break at the end of the file', () => {
    expect(withoutBlock(withBlock('mine\n', lines).trimEnd())).toBe('mine\n');
  });

  it('keeps what the user added after it', () => {
    expect(withoutBlock(`${withBlock('open', lines)}added\n`)).toBe('openadded\n');
  });
});
