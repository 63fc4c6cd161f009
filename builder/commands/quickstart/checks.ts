import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { checksumsName, manifestName, signatureName } from '#contract/bundle/head.ts';
import { withoutPart } from '#contract/bundle/release-name.ts';
import { verifyBundle } from '#contract/bundle/verify.ts';
import { type ErrorCode, LandfallError } from '#contract/errors.ts';
import type { PublicKey } from '#contract/trust/keys.ts';
import { silentReporter } from '../../base/progress/reporter.ts';
import { openBundle } from '../../bundle/archive/open-bundle.ts';
import type { PublishedBundle } from '../../bundle/archive/publish-bundle.ts';

/** The result of a verification with one tool. */
export interface Check {
  readonly tool: string;
  readonly state: 'ok' | 'missing';
  /** What was verified, or what is missing. */
  readonly detail: string;
}

/** Verifies the bundles with the code that the server uses. @throws LandfallError BUNDLE_… */
export async function checkWithLandfall(
  built: readonly PublishedBundle[],
  key: PublicKey,
): Promise<Check> {
  let files = 0;
  for (const { path, release } of built) {
    await using bundle = await openBundle(path, silentReporter);
    const keys = { release: [key], recovery: undefined };
    const policy = { keys, arch: release.arch, now: new Date() };
    files += (await verifyBundle(bundle.content, policy)).release.files.length;
  }
  return { tool: 'landfall verify', state: 'ok', detail: `signature and ${files} files` };
}

/** Verifies the signatures with openssl, as the bootstrap does. @throws LandfallError BUNDLE_UNTRUSTED */
export async function checkWithOpenssl(
  built: ReadonlyArray<Pick<PublishedBundle, 'path'>>,
  publicKey: string,
): Promise<Check> {
  const tool = 'openssl dgst -verify';
  for (const { path } of built) {
    const base = withoutPart(path).replace(/\.tar$/, '');
    const files = ['-signature', `${base}.${signatureName}`, `${base}.${manifestName}`];
    const { exitCode, code } = await execa(
      'openssl',
      ['dgst', '-sha256', '-verify', publicKey, ...files],
      { reject: false, stdin: 'ignore' },
    );
    if (code === 'ENOENT') return { tool, state: 'missing', detail: 'openssl is not installed' };
    if (exitCode !== 0) {
      throw rejected('BUNDLE_UNTRUSTED', `openssl rejects the signature of ${path}`);
    }
  }
  return { tool, state: 'ok', detail: 'signature of release.json' };
}

/** Unpacks the bundles with tar and verifies the checksums with coreutils. @throws LandfallError BUNDLE_CONTENT */
export async function checkWithSha256sum(built: readonly PublishedBundle[]): Promise<Check> {
  const tool = 'sha256sum -c';
  let files = 0;
  for (const { path } of built) {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'landfall-'));
    await execa('tar', ['-xf', path, '-C', folder.path], { stdin: 'ignore' });
    const { exitCode, code, stdout } = await execa(
      'sha256sum',
      ['--check', '--strict', checksumsName],
      { cwd: folder.path, reject: false, stdin: 'ignore' },
    );
    if (code === 'ENOENT') return { tool, state: 'missing', detail: 'sha256sum is not installed' };
    if (exitCode !== 0) {
      throw rejected('BUNDLE_CONTENT', `sha256sum rejects the contents of ${path}`);
    }
    files += stdout.trim().split('\n').length;
  }
  return { tool, state: 'ok', detail: `${files} files, unpacked with tar` };
}

function rejected(code: ErrorCode, message: string): LandfallError {
  return new LandfallError(code, message, {
    hint: 'Build again. If it fails again, report a bug.',
  });
}
