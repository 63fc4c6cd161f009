import { describe, expect, it } from 'vitest';
import { singBoxTarball } from '#contract/bundle/bundle-paths.ts';
import type { Release } from '#contract/bundle/release.ts';
import { siteSchema } from '#contract/site/site.ts';
import { refuseMissingComponents } from '../../../../builder/deliver/user-data/refuse-missing-components.ts';
import { contextFor } from '../../../appliance/context.ts';
import { TemporaryHost } from '../../../appliance/temporary-host.ts';

const site = siteSchema.parse({
  ...{
    release: ['http://192.0.2.1/'],
    admin: { ssh_keys: ['ssh-ed25519 AAAA me@laptop'] },
    models: [],
  },
  ...{ route: { mode: 'client' } },
});

/** Returns a release with these files, and every component that the site needs. */
function releaseWith(paths: readonly string[]) {
  const { release } = contextFor(TemporaryHost.with({}));
  const file = { size: 1, sha256: 'a'.repeat(64), offset: 0, executable: false };
  const images = ['engine', 'ui', 'gateway', 'tinyproxy', 'acme'].map((component) => ({
    ...{ component, reference: `${component}:1`, index: null, manifest: null, config: null },
    ...{ size: null, optional: false },
  }));
  const files = paths.map((path) => ({ ...file, path }));
  return {
    release: { ...release, images, files } as unknown as Release,
    manifestSha256: 'b'.repeat(64),
  };
}

describe('a site with route.mode client', () => {
  it('rejects route.mode client by name if the release has no proxy client', () => {
    const attempt = () => refuseMissingComponents(site, [releaseWith([])]);
    expect(attempt).toThrow(
      expect.objectContaining({
        code: 'USER_DATA_MISMATCH',
        problems: [
          expect.objectContaining({
            message: expect.stringMatching(/^route\.mode is client, but .* has no proxy client$/),
            hint: expect.stringContaining('clients: { sing-box: {} }'),
          }),
        ],
      }),
    );
  });

  it('accepts route.mode client if the release has a proxy client', () => {
    expect(() => refuseMissingComponents(site, [releaseWith([singBoxTarball])])).not.toThrow();
  });
});
