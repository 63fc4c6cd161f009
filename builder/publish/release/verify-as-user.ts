import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { execa } from 'execa';
import { type Architecture, releaseName } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { parseJson } from '#contract/text/json.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { publicKeyPem, type TrustedKeys } from '#contract/trust/keys.ts';
import { checkWithOpenssl } from '../../commands/quickstart/checks.ts';

/**
 * Verifies bundles as a user does who has only the files and the public keys: with the command
 * `landfall verify` in a separate process, and with openssl.
 * @param program path of `landfall.mjs`
 * @param releaseKey path of the public key that signed
 * @throws LandfallError BUNDLE_CONTENT, BUNDLE_UNTRUSTED, TOOL_MISSING without openssl
 */
export async function verifyAsUser(
  program: string,
  bundles: readonly string[],
  keys: TrustedKeys,
  releaseKey: string,
): Promise<void> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'landfall-keys-'));
  const options = await keyOptions(keys, folder.path);
  const kinds = new Set<string>();
  for (const bundle of bundles) kinds.add(await verify(program, bundle, options, folder.path));
  if (kinds.size > 1) throw rejected(bundles[0] ?? '', 'the bundles are thin and full');
  const check = await checkWithOpenssl(
    bundles.map((path) => ({ path })),
    releaseKey,
  );
  if (check.state === 'ok') return;
  throw new LandfallError('TOOL_MISSING', 'the signature cannot be verified: no openssl', {
    hint: 'Install openssl.',
  });
}

/** What `landfall verify --json` prints. */
interface Verified {
  readonly verified: boolean;
  readonly product: string;
  readonly version: string;
  readonly arch: Architecture;
  readonly kind: string;
  readonly error?: { readonly message: string };
}

/** Returns the kind of a bundle. */
async function verify(
  program: string,
  bundle: string,
  options: readonly string[],
  home: string,
): Promise<string> {
  const { stdout, stderr } = await execa(
    process.execPath,
    [program, 'verify', bundle, '--json', ...options],
    { reject: false, stdin: 'ignore', env: { HOME: home, XDG_CONFIG_HOME: home } },
  );
  const {
    verified,
    product = '',
    version = '',
    arch,
    kind = '',
    error,
  } = (parseJson(stdout) ?? {}) as Partial<Verified>;
  if (verified !== true || !arch) throw rejected(bundle, error?.message ?? plainLine(stderr));
  const name = releaseName(product, version, arch);
  if (!basename(bundle).startsWith(`${name}.tar`)) throw rejected(bundle, `it contains ${name}`);
  return kind;
}

function rejected(bundle: string, why: string): LandfallError {
  return new LandfallError('BUNDLE_CONTENT', `${basename(bundle)} is rejected: ${why}`, {
    hint: 'Do not publish this release. Build it again; if it fails again, report a bug.',
  });
}

async function keyOptions({ release, recovery }: TrustedKeys, folder: string): Promise<string[]> {
  const options: string[] = [];
  for (const [index, key] of release.entries()) {
    const path = join(folder, `release-${index}.pub`);
    await writeFile(path, publicKeyPem(key));
    options.push('--key', path);
  }
  if (!recovery) return options;
  const path = join(folder, 'recovery.pub');
  await writeFile(path, publicKeyPem(recovery));
  return [...options, '--recovery-key', path];
}
