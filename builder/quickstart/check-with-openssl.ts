import { execa } from 'execa';
import { manifestName, signatureName } from '#contract/bundle/head.ts';
import { LandfallError } from '#contract/errors.ts';
import type { PublishedBundle } from '../bundle/publish-bundle.ts';
import type { Check } from './check.ts';

const tool = 'openssl dgst -verify';

/** The check that a server makes before it has anything of Landfall. @throws LandfallError BUNDLE_UNTRUSTED */
export async function checkWithOpenssl(
  built: readonly PublishedBundle[],
  publicKey: string,
): Promise<Check> {
  for (const { path } of built) {
    const base = path.replace(/\.tar$/, '');
    const signature = `${base}.${signatureName}`;
    const manifest = `${base}.${manifestName}`;
    const { exitCode, code } = await execa(
      'openssl',
      ['dgst', '-sha256', '-verify', publicKey, '-signature', signature, manifest],
      { reject: false, stdin: 'ignore' },
    );
    if (code === 'ENOENT')
      return { tool, state: 'missing', detail: 'openssl is not installed here' };
    if (exitCode !== 0) {
      throw new LandfallError(
        'BUNDLE_UNTRUSTED',
        `openssl does not accept the signature of ${path}`,
        {
          hint: 'This is a bug in Landfall or a changed file; build again.',
        },
      );
    }
  }
  return { tool, state: 'ok', detail: 'signature of release.json' };
}
