import { describe, expect, it } from 'vitest';
import { encodeRelease } from '#contract/bundle/release.ts';
import { fileEntry } from '../../../../builder/bundle/archive/entry.ts';
import { releaseOf } from '../../../../builder/bundle/archive/release-facts.ts';
import { factsFor, testKey } from './fixture.ts';

const facts = factsFor(testKey());

describe('the manifest of a bundle', () => {
  it('lists the offset of each file in the manifest of a bundle', () => {
    const entries = [fileEntry('a', Buffer.alloc(1)), fileEntry('b', Buffer.alloc(513))];
    const offsets = releaseOf(facts, [...entries, fileEntry('c', Buffer.alloc(0))]).files;
    // Each file has one header block before it and is padded to whole blocks.
    expect(offsets.map(({ offset }) => offset)).toEqual([512, 1536, 3072]);
  });

  it('writes a deterministic manifest of a bundle', () => {
    const entries = [fileEntry('a', Buffer.from('a'))];
    expect(encodeRelease(releaseOf(facts, entries))).toEqual(
      encodeRelease(releaseOf(facts, entries)),
    );
  });

  it('rejects an unsafe path and names it', () => {
    expect(() => releaseOf(facts, [fileEntry('../etc/passwd', Buffer.alloc(1))])).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        problems: [expect.objectContaining({ message: expect.stringContaining('../etc/passwd') })],
      }),
    );
  });

  it('rejects two files with one name', () => {
    const entries = [fileEntry('a', Buffer.alloc(1)), fileEntry('A', Buffer.alloc(1))];
    expect(() => releaseOf(facts, entries)).toThrow(/conflicts/);
  });
});
