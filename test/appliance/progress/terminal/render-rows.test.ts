import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '#contract/text/display-width.ts';
import { type Paint, unpainted } from '#contract/text/paint.ts';
import { renderRows, wrap } from '../../../../appliance/progress/terminal/render-rows.ts';

const paint: Paint = (style, text) => `${style}(${text})`;

describe('colours', () => {
  it('surround whole lines', () => {
    expect(renderRows([{ text: 'text', colour: 'red' }], 80, paint)).toEqual(['red(text)']);
    expect(renderRows([{ text: 'text', colour: 'red' }], 80, unpainted)).toEqual(['text']);
  });
});

describe('a line that is longer than the terminal is wide', () => {
  it('is wrapped', () => {
    expect(wrap('the quick brown fox jumps over the lazy dog', 25)).toEqual([
      'the quick brown fox jumps',
      '  over the lazy dog',
    ]);
  });

  it('is broken anywhere without a space', () => {
    expect(wrap('a'.repeat(50), 30)).toEqual(['a'.repeat(30), `  ${'a'.repeat(20)}`]);
  });

  it('keeps all text and fits', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '模', '镜'), maxLength: 400, size: 'max' }),
        fc.integer({ min: 1, max: 120 }),
        (text, columns) => {
          const lines = wrap(text, columns);
          for (const line of lines)
            expect(displayWidth(line)).toBeLessThanOrEqual(Math.max(columns, 20));
          const squeeze = (value: string) => value.replace(/\s/g, '');
          expect(squeeze(lines.join(''))).toBe(squeeze(text));
        },
      ),
    );
  });
});
