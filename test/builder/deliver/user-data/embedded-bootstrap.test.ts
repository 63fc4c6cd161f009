import { describe, expect, it } from 'vitest';
import type { PinnedRelease } from '../../../../builder/bundle/released/pinned-release.ts';
import { renderUserData } from '../../../../builder/deliver/user-data/render.ts';
import { siteWith } from '../../../appliance/bootstrap/fresh-server.ts';
import { releaseKey } from '../../../simulator/keys.ts';
import { bothArchitectures, inputsWith, sourceUrl } from './rendered.ts';

const [amd64, arm64] = bothArchitectures;
if (!amd64 || !arm64) throw new Error('there are two');
const { bootstrap = [] } = arm64.release;

const withBootstrap = (files: typeof bootstrap | undefined) => {
  const { bootstrap: _, ...rest } = arm64.release;
  return [amd64, { ...arm64, release: files ? { ...rest, bootstrap: files } : rest }];
};
const changed = (name: string) =>
  bootstrap.map((file) => (file.name === name ? { ...file, sha256: '0'.repeat(64) } : file));
/** A single key, so that there is no warning about the size. */
const warningsFor = (releases: readonly PinnedRelease[]) => {
  const keys = { release: [releaseKey.public], recovery: undefined };
  return renderUserData(inputsWith({ releases, keys })).warnings;
};
const socks = siteWith({
  release: [sourceUrl],
  route: { mode: 'socks5', url: 'socks5h://10.0.0.2:1080' },
});

describe('the bootstrap in user-data', () => {
  it.each(['bootstrap', 'unpack.py', 'fetch.py', 'landfall-boot.service'])(
    'rejects user-data whose bootstrap has a different %s than a release requires',
    (name) => {
      expect(() => renderUserData(inputsWith({ releases: withBootstrap(changed(name)) }))).toThrow(
        expect.objectContaining({
          code: 'USER_DATA_MISMATCH',
          problems: [
            { message: expect.stringMatching(`^${name} has SHA-256 .* for arm64 requires`) },
          ],
        }),
      );
    },
  );

  it('compares a file of the bootstrap only if user-data embeds it', () => {
    const releases = withBootstrap(changed('socks5.py'));
    expect(warningsFor(releases)).toEqual([]);
    expect(() => renderUserData(inputsWith({ releases, site: socks }))).toThrow(
      expect.objectContaining({ code: 'USER_DATA_MISMATCH' }),
    );
  });

  it('may be a subset of the files that the release lists', () => {
    const later = [...bootstrap, { name: 'parts.py', sha256: 'f'.repeat(64) }];
    expect(warningsFor(withBootstrap(later))).toEqual([]);
  });

  it('causes a warning for each release without checksums of its bootstrap files', () => {
    expect(warningsFor(withBootstrap(undefined))).toEqual([
      'the bootstrap cannot be compared: landfall 1.2.0 for arm64 has no checksums of its files',
    ]);
  });
});
