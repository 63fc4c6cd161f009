import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../../../builder/diff/unified-diff.ts';

/** Returns the hunks that GNU diff prints. */
function ofDiff(before: string, after: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-unified-'));
  try {
    writeFileSync(join(folder, 'a'), before);
    writeFileSync(join(folder, 'b'), after);
    const { stdout } = spawnSync('diff', ['-u', 'a', 'b'], { cwd: folder, encoding: 'utf8' });
    return stdout.split('\n').slice(2, -1);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

/** Applies hunks to a text, and requires that each removed and each context line matches. */
function apply(before: string, hunks: readonly string[]): string {
  const old = before === '' ? [] : before.split(/(?<=\n)/);
  const lines: string[] = [];
  let at = 0;
  for (const line of hunks) {
    const start = /^@@ -(\d+)(?:,(\d+))? \+/.exec(line);
    if (start) {
      const from = Number(start[1]) - (start[2] === '0' ? 0 : 1);
      lines.push(...old.slice(at, from));
      at = from;
    } else if (line === '\\ No newline at end of file') {
      if (!lines.at(-1)?.includes('\n')) continue;
      lines.push(lines.pop()?.slice(0, -1) ?? '');
    } else {
      if (!line.startsWith('+')) {
        expect(old[at]?.replace(/\n$/, '')).toBe(line.slice(1));
        at += 1;
      }
      if (!line.startsWith('-')) lines.push(`${line.slice(1)}\n`);
    }
  }
  return [...lines, ...old.slice(at)].join('');
}

describe('the unified diff of two texts', () => {
  it.each([
    ['a changed line', 'a\nb\nc\n', 'a\nx\nc\n'],
    ['an added line', 'a\nb\n', 'a\nb\nc\n'],
    ['a new file', '', 'a\nb\n'],
    ['a removed file', 'a\n', ''],
    ['no line break at the end of the first', 'a\nb', 'a\nb\n'],
    ['no line break at the end of both', 'a\nb', 'c\nb'],
    [
      'two hunks',
      `${numbers(30).join('\n')}\n`,
      `${numbers(30)
        .map((text) => (text === '3' || text === '20' ? 'x' : text))
        .join('\n')}\n`,
    ],
    [
      'two changes whose context touches',
      `${numbers(30).join('\n')}\n`,
      `${numbers(30)
        .map((text) => (text === '3' || text === '10' ? 'x' : text))
        .join('\n')}\n`,
    ],
  ])('is that of diff -u for %s', (_what, before, after) => {
    const hunks = ofDiff(before, after);
    expect(hunks.length).toBeGreaterThan(0);
    expect(unifiedDiff(before, after)).toEqual(hunks);
  });

  it('is empty for equal texts, and turns one text into the other', () => {
    // The marker would be ambiguous if it were also a line of the text.
    const line = fc.constantFrom('a', 'b', 'c', '', '+a', '-a', '@');
    const text = fc
      .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
      .map(([lines, hasEnd]) => lines.join('\n') + (hasEnd && lines.length > 0 ? '\n' : ''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(unifiedDiff(before, before)).toEqual([]);
        const hunks = unifiedDiff(before, after) ?? ['undefined'];
        if (before !== after) expect(hunks).not.toEqual([]);
        expect(apply(before, withoutOldMarkers(hunks))).toBe(after);
      }),
    );
  });

  it('is left out if more than a thousand lines differ', () => {
    const [one, other] = ['a', 'b'].map((letter) => `${letter}\n`.repeat(1001));
    expect(unifiedDiff(one ?? '', other ?? '')).toBeUndefined();
    expect(unifiedDiff(`${one}x\n`, `${one}y\n`)).toHaveLength(6);
  });
});

/** Removes the markers that belong to removed lines. */
function withoutOldMarkers(hunks: readonly string[]): string[] {
  return hunks.filter(
    (line, index) => !(line.startsWith('\\ ') && hunks[index - 1]?.startsWith('-')),
  );
}
