import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { unpainted } from '#contract/text/paint.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { printText } from '../../../../builder/bundle/diff/print-text.ts';
import { report, reportWith } from './print-report.ts';

const terminal = { isTTY: true, write: () => true };

const text = `landfall 1.0.0 → 1.1.0 for amd64, thin
An update moves 1.0 kB in 1 file.

components
  ~  engine  image  ollama/ollama:1  →  ollama/ollama:2
             size   unresolved       →  1.2 GB
  +  ui      image  team/ui:1

files
  -  notes  9 B

Signatures are not verified.
`;

describe('a report on a terminal', () => {
  it('prints a report on a terminal with aligned columns and one line per field', () => {
    expect(printText(report, unpainted)).toBe(text);
  });

  it('colours a report on a terminal without changing a column', () => {
    const coloured = printText(report, paintFor(terminal, {}));
    expect(coloured).toContain('\u001b[32m  +  ui');
    expect(stripVTControlCharacters(coloured)).toBe(text);
    expect(printText(report, paintFor(terminal, { NO_COLOR: '1' }))).toBe(text);
  });

  it('prints no control characters of a name, and no secret', () => {
    const [line] = printText(reportWith('a\u001b[2J\nb'), unpainted).split('\n');
    expect(line).toBe('a b');
    const secret = reportWith('https://u:secret12@x.example/');
    expect(printText(secret, unpainted)).not.toContain('secret12');
  });
});
