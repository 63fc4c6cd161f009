import { describe, expect, it } from 'vitest';
import { checksumsOf } from '#contract/bundle/layout.ts';
import { decodeUtf8 } from '#contract/text/bytes.ts';
import { makeRelease, sha256, tinyFiles } from '../../../../simulator/bundle.ts';

describe('SHA256SUMS', () => {
  it('names the manifest and every file, as sha256sum writes them', () => {
    const manifest = Buffer.from('{}\n');
    const [first, second] = tinyFiles.map(({ content }) => sha256(content));
    expect(decodeUtf8(checksumsOf(makeRelease(tinyFiles), manifest))).toBe(
      `${sha256(manifest)}  release.json\n${first}  appliance.yaml\n${second}  bin/landfall.mjs\n`,
    );
  });
});
