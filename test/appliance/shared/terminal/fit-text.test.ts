import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '#contract/text/display-width.ts';
import { fitText } from '#terminal/fit-text.ts';

describe('fitText', () => {
  it('pads with spaces', () => {
    expect(fitText('ui', 4)).toBe('ui  ');
  });

  it('removes the middle, because both ends identify a text', () => {
    expect(fitText('ghcr.io/open-webui/open-webui:v0.12.4 0123456789ab', 20)).toBe(
      'ghcr.io/o…23456789ab',
    );
  });

  it('removes control characters', () => {
    expect(fitText('a\x1b[2J\r\nb', 10)).toBe('a [2J  b  ');
  });

  it('always returns the given width', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'é', '模', '\n'), maxLength: 80, size: 'max' }),
        fc.integer({ min: 1, max: 60 }),
        (text, columns) => {
          expect(displayWidth(fitText(text, columns))).toBe(columns);
        },
      ),
    );
  });
});
