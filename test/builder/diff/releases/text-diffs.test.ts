import { describe, expect, it } from 'vitest';
import type { ReleaseChanges } from '../../../../builder/diff/releases/changes.ts';
import { textDiffs } from '../../../../builder/diff/releases/text-diffs.ts';
import type { ReleaseSide } from '../../../../builder/diff/sides/side.ts';
import { makeRelease } from '../../../simulator/bundle.ts';

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
  it('has its lines', async () => {
    expect(await diff(text('a\n'), text('b\n'))).toEqual(['@@ -1 +1 @@', '-a', '+b']);
  });

  it('has all lines of a new file', async () => {
    expect(await diff(undefined, text('a\n'), 'after')).toEqual(['@@ -0,0 +1 @@', '+a']);
  });

  it('has no control characters except tabs, and no line that looks like a secret', async () => {
    const lines = await diff(text(''), text('\t\u001b[2J\r\n  - API_KEY=abcdef\n'));
    expect(lines?.slice(1)).toEqual(['+\t�[2J�', '+(hidden: looks like a secret)']);
  });

  it.each([
    ['binary data', text('a\0')],
    ['invalid UTF-8', Buffer.from([0xff])],
    ['more than 256 kB', Buffer.alloc(256 * 1024 + 1, 'a\n')],
    ['too many different lines', text('b\n'.repeat(1001))],
  ])('is replaced by the reason for %s', async (_what, after) => {
    expect(await diff(text('a\n'), after)).toEqual([
      '(not compared as text: binary, too large, or too many differences)',
    ]);
  });

  it('is replaced by the reason for a release.json, which has no content', async () => {
    expect(await diff(text('a\n'), undefined)).toEqual([
      '(not compared as text: release.json does not contain it; use the bundles)',
    ]);
  });
});
