import { rename, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hostedBundles } from '../../../../builder/deliver/hosting/hosted-bundles.ts';
import { releaseFiles } from '../../../../builder/deliver/hosting/release-files.ts';
import { sha256 } from '../../../simulator/bundle.ts';
import { headOf } from '../../../simulator/head-of.ts';
import { bundleOf, OutputFolder } from './release-folder.ts';

const { tar } = OutputFolder;

describe('hostedBundles', () => {
  it.each([undefined, 4_000])(
    'reads the head of a bundle, with parts of %s bytes',
    async (size) => {
      await using folder = await OutputFolder.create(bundleOf(), size);
      const [pinned, ...others] = await hostedBundles(await releaseFiles(folder.path));
      const manifest = headOf(folder.bundle).get('release.json') ?? Buffer.alloc(0);
      expect(pinned).toMatchObject({
        manifestSha256: sha256(manifest),
        release: { arch: 'amd64' },
      });
      expect(pinned?.partSize).toBe(size);
      expect(others).toEqual([]);
    },
  );

  it('rejects an incomplete bundle', async () => {
    await using folder = await OutputFolder.create();
    await truncate(join(folder.path, tar), folder.bundle.length - 512);
    const files = await releaseFiles(folder.path);
    await expect(hostedBundles(files)).rejects.toMatchObject({ code: 'BUNDLE_TRUNCATED' });
  });

  it('rejects a bundle with a name that servers do not request', async () => {
    await using folder = await OutputFolder.create();
    await rename(join(folder.path, tar), join(folder.path, 'mine.tar'));
    const files = await releaseFiles(folder.path);
    await expect(hostedBundles(files)).rejects.toMatchObject({
      code: 'USAGE',
      hint: expect.stringContaining(tar),
    });
  });

  it('rejects an archive that is not a bundle', async () => {
    await using folder = await OutputFolder.create();
    await folder.write('backup.tar', Buffer.alloc(2048, 'x'));
    const files = await releaseFiles(folder.path);
    await expect(hostedBundles(files)).rejects.toMatchObject({ code: /^BUNDLE_/ });
  });
});
