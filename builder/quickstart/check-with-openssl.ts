import { execa } from 'execa';
import { manifestName, signatureName } from '#contract/bundle/head.ts';
import { withoutPart } from '#contract/bundle/part-name.ts';
import { LandfallError } from '#contract/errors.ts';
import type { PublishedBundle } from '../bundle/publish-bundle.ts';
import type { Check } from './check.ts';

const tool = 'openssl dgst -verify';

/** Verifies the signatures with openssl, as the bootstrap does. @throws LandfallError BUNDLE_UNTRUSTED */
export async function checkWithOpenssl(
  built: ReadonlyArray<Pick<PublishedBundle, 'path'>>,
  publicKey: string,
): Promise<Check> {
  for (const { path } of built) {
    const base = withoutPart(path).replace(/\.tar$/, '');
    const signature = `${base}.${signatureName}`;
    const manifest = `${base}.${manifestName}`;
    const { exitCode, code } = await execa(
      'openssl',
      ['dgst', '-sha256', '-verify', publicKey, '-signature', signature, manifest],
      { reject: false, stdin: 'ignore' },
    );
    if (code === 'ENOENT') return { tool, state: 'missing', detail: 'openssl is not installed' };
    if (exitCode !== 0) {
      throw new LandfallError('BUNDLE_UNTRUSTED', `openssl rejects the signature of ${path}`, {
        hint: 'Build again. If it fails again, report a bug.',
      });
    }
  }
  return { tool, state: 'ok', detail: 'signature of release.json' };
}
