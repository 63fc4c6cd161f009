import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printMarkdown } from '../../../../builder/diff/print/print-markdown.ts';
import { report, reportWith } from './report.ts';

describe('a report in Markdown', () => {
  it('has a table per section', () => {
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

<details><summary><code>compose/compose.yaml</code></summary>

\`\`\`diff
@@ -1 +1 @@
-a
+b
\`\`\`

</details>

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

  it('has no HTML, link or mention of a name outside of code', () => {
    const markdown = printMarkdown(reportWith('<script>@everyone [a](https://x.example)'));
    const outside = markdown
      .replace(/```[\s\S]*```/g, '')
      .replace(/<summary><code>[^<]*<\/code><\/summary>/g, '')
      .replace(/`[^`]*`/g, '')
      .replace(/<\/?details>/g, '');
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
