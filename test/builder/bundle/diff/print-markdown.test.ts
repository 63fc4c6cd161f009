import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codeOf, printMarkdown, proseOf } from '../../../../builder/bundle/diff/print-markdown.ts';
import { report, reportWith } from './print-report.ts';

describe('a report in Markdown', () => {
  it('prints a report in Markdown with a table per section', () => {
    expect(printMarkdown(report)).toBe(`### landfall 1.0.0 → 1.1.0 for amd64, thin

An update moves 1.0 kB in 1 file.

#### components

|  | name | field | before | after |
| --- | --- | --- | --- | --- |
| changed | \`engine\` | image | \`ollama/ollama:1\` | \`ollama/ollama:2\` |
|  |  | size | \`unresolved\` | \`1.2 GB\` |
| added | \`ui\` | image |  | \`team/ui:1\` |

#### files

|  | name | before | after |
| --- | --- | --- | --- |
| removed | \`notes\` | \`9 B\` |  |

_Signatures are not verified._
`);
  });

  it('keeps the cells of a table with any name', () => {
    const name = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc
        .array(fc.constantFrom(...'`|\\*_[]()<>!&#@a \n'), { minLength: 1, maxLength: 20 })
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(name, (hostile) => {
        const rows = printMarkdown(reportWith(hostile))
          .split('\n')
          .filter((line) => line.startsWith('| changed'));
        expect(rows).toHaveLength(1);
        expect(rows[0]?.match(/\|/g)).toHaveLength(6);
      }),
    );
  });

  it('prints no HTML, link or mention of a name outside of code', () => {
    const markdown = printMarkdown(reportWith('<script>@everyone [a](https://x.example)'));
    const outside = markdown.replace(/`[^`]*`/g, '');
    expect(outside).not.toMatch(/[<@[\]]/);
  });

  it('shows at most a hundred rows of a section', () => {
    const rows = Array.from({ length: 103 }, (_, index) => ({
      kind: 'added' as const,
      name: `file-${index}`,
      fields: [{ name: '', before: '', after: '1 B' }],
    }));
    const markdown = printMarkdown({ ...report, sections: [{ title: 'files', rows }] });
    expect(markdown).toContain('file-99');
    expect(markdown).not.toContain('file-100');
    expect(markdown).toContain('\n\n3 more are not shown; --json lists all.\n');
  });
});

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
  it('formats a name as a code span', () => {
    expect(codeOf('ghcr.io/open-webui/open-webui:v0.12.4')).toBe(
      '`ghcr.io/open-webui/open-webui:v0.12.4`',
    );
  });

  it.each(['a`b', '``', 'a|b', 'a\\|b', '<img src=x>|`', '\\'])(
    'writes entities instead of punctuation if a code span cannot hold a name: %s',
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
