import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { checksumsName } from '#contract/bundle/head.ts';
import { LandfallError } from '#contract/errors.ts';
import type { PublishedBundle } from '../bundle/publish-bundle.ts';
import type { Check } from './check.ts';

const tool = 'sha256sum -c';

/** Unpacks the bundles with tar and verifies the checksums with coreutils. @throws LandfallError BUNDLE_CONTENT */
export async function checkWithSha256sum(built: readonly PublishedBundle[]): Promise<Check> {
  let files = 0;
  for (const { path } of built) {
    const folder = await mkdtemp(join(tmpdir(), 'landfall-'));
    try {
      await execa('tar', ['-xf', path, '-C', folder], { stdin: 'ignore' });
      const { exitCode, code, stdout } = await execa(
        'sha256sum',
        ['--check', '--strict', checksumsName],
        { cwd: folder, reject: false, stdin: 'ignore' },
      );
      if (code === 'ENOENT')
        return { tool, state: 'missing', detail: 'sha256sum is not installed' };
      if (exitCode !== 0) {
        throw new LandfallError('BUNDLE_CONTENT', `sha256sum rejects the contents of ${path}`, {
          hint: 'Build again. If it fails again, report a bug.',
        });
      }
      files += stdout.trim().split('\n').length;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return { tool, state: 'ok', detail: `${files} files, unpacked with tar` };
}
