import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ReleaseChanges } from '../../../builder/diff/compare-releases.ts';
import type { ReleaseSide } from '../../../builder/diff/sides.ts';
import { textDiffs, unifiedDiff } from '../../../builder/diff/text-diffs.ts';
import { makeRelease } from '../../simulator/bundle.ts';

const path = 'compose/compose.yaml';

/** A release with this file, or without any content. */
function side(content: Buffer | undefined): ReleaseSide {
  return {
    type: content ? 'bundle' : 'manifest',
    name: 'x',
    release: makeRelease(content ? [{ path, content }] : []),
    manifestSha256: '0'.repeat(64),
    signer: undefined,
    read: async (wanted, maxBytes) =>
      wanted === path && content && content.length <= maxBytes ? content : undefined,
    async [Symbol.asyncDispose]() {},
  };
}

async function diff(
  before: Buffer | undefined,
  after: Buffer | undefined,
  present: 'both' | 'after' = 'both',
): Promise<readonly string[] | undefined> {
  const version = { size: 1, sha256: '0'.repeat(64), executable: false };
  const settings: ReleaseChanges['settings'] = [
    { name: path, before: present === 'both' ? version : null, after: version },
  ];
  const [found] = await textDiffs({ before: side(before), after: side(after) }, settings);
  return found?.lines;
}

const text = (content: string) => Buffer.from(content);

describe('the text diff of a file of the stack', () => {
  it('returns the changed lines of a file of the stack as a text diff', async () => {
    expect(await diff(text('a\n'), text('b\n'))).toEqual(['@@ -1 +1 @@', '-a', '+b']);
  });

  it('returns all lines of a new file of the stack as a text diff', async () => {
    expect(await diff(undefined, text('a\n'), 'after')).toEqual(['@@ -0,0 +1 @@', '+a']);
  });

  it('hides control characters except tabs, and lines like secrets, in a text diff', async () => {
    const lines = await diff(text(''), text('\t\u001b[2J\r\n  - API_KEY=abcdef\n'));
    expect(lines?.slice(1)).toEqual(['+\t�[2J�', '+(hidden: looks like a secret)']);
  });

  it.each([
    ['binary data', text('a\0')],
    ['invalid UTF-8', Buffer.from([0xff])],
    ['more than 256 kB', Buffer.alloc(256 * 1024 + 1, 'a\n')],
    ['too many different lines', text('b\n'.repeat(2001))],
  ])('replaces a text diff by the reason for %s', async (_what, after) => {
    expect(await diff(text('a\n'), after)).toEqual([
      '(not compared as text: binary, too large, or too many differences)',
    ]);
  });

  it('replaces a text diff by the reason for a release.json, which has no content', async () => {
    expect(await diff(text('a\n'), undefined)).toEqual([
      '(not compared as text: release.json does not contain it; use the bundles)',
    ]);
  });
});

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
  ])('prints the same diff as diff -u for %s', (_what, before, after) => {
    const hunks = ofDiff(before, after);
    expect(hunks.length).toBeGreaterThan(0);
    expect(unifiedDiff(before, after)).toEqual(hunks);
  });

  it('returns no difference for equal texts', () => {
    expect(unifiedDiff('a\n', 'a\n')).toEqual([]);
  });

  it('omits the diff if more than a thousand lines differ', () => {
    const [one, other] = ['a', 'b'].map((letter) => `${letter}\n`.repeat(1001));
    expect(unifiedDiff(one ?? '', other ?? '')).toBeUndefined();
    expect(unifiedDiff(`${one}x\n`, `${one}y\n`)).toHaveLength(6);
  });
});
