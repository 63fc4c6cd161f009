import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { signatureName, sigstoreName } from '#contract/bundle/head.ts';
import type { Release } from '#contract/bundle/release.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatKeyId, type PublicKey } from '#contract/trust/keys.ts';
import { replaceFile } from '#files/replace-file.ts';
import { paintFor } from '#terminal/paint-for.ts';
import { fileError } from '../files/file-error.ts';
import { chooseReporter, printWarnings, type ReportOptions } from '../progress/reporter.ts';
import { type ResignedBundle, resignBundle } from '../resign/resign-bundle.ts';
import { readSigningKey } from '../sign/private-key.ts';
import type { SignedHead } from '../sign/sign-release.ts';
import { keyInputs } from './ask-passphrase.ts';
import { keySource } from './build.ts';
import type { CommandContext } from './context.ts';

/** Options of `landfall sign`. */
export interface SignFlags extends ReportOptions {
  readonly key: string;
}

/** Signs a bundle again and prints the result. @throws LandfallError of `resignBundle` and keys */
export async function signAction(
  context: CommandContext,
  path: string,
  flags: SignFlags,
): Promise<void> {
  const bundle = resolve(context.cwd, path);
  const signer = await readSigningKey(keySource(context, flags), keyInputs(context));
  const reporter = chooseReporter(context, flags);
  try {
    const resigned = await resignBundle(bundle, signer, reporter);
    await replaceBeside(bundle, resigned.head);
    reporter.close();
    report(context, path, flags, resigned, signer.public);
  } finally {
    reporter.close();
  }
}

/** Replaces the published signatures beside a bundle, if they exist. */
async function replaceBeside(bundle: string, head: SignedHead): Promise<void> {
  const base = bundle.replace(/\.tar$/, '');
  for (const member of [signatureName, sigstoreName]) {
    const path = `${base}.${member}`;
    const bytes = head.get(member);
    if (!bytes || !existsSync(path)) continue;
    await replaceFile(path, bytes).catch((error: unknown) => {
      throw fileError(error, path);
    });
  }
}

function report(
  context: CommandContext,
  path: string,
  { json, quiet }: SignFlags,
  { release, manifestSha256, before }: ResignedBundle,
  key: PublicKey,
): void {
  const { product, version, arch, kind } = release;
  const role = roleOf(key, release);
  const warnings = role === null ? [unknownKey] : [];
  const { stdout, env } = context;
  if (json) {
    const signer = { keyId: key.id, role };
    const result = { path, product, version, arch, kind, manifestSha256, signer };
    stdout.write(`${JSON.stringify({ ...result, before: before.key.id, warnings })}\n`);
    return;
  }
  if (quiet) return;
  printWarnings(context, warnings);
  const table = formatTable([
    ['  signed by', `${formatKeyId(key.id)}${role === null ? '' : `  (${role} key)`}`],
    ['  before', formatKeyId(before.key.id)],
    ['  release.json', `${manifestSha256}, unchanged`],
  ]);
  const title = paintFor(stdout, env)('green', `signed: ${product} ${version} for ${arch}`);
  stdout.write(`${title}\n${table}\n`);
}

const unknownKey =
  'the release does not announce this key: only a verifier that already trusts it accepts the release';

/** Returns the role that the release announces for a key; null for none. */
function roleOf({ spki }: PublicKey, { keys }: Release): 'recovery' | 'release' | null {
  if (keys.recovery === spki) return 'recovery';
  return keys.release.includes(spki) ? 'release' : null;
}
