import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { OptionsOf } from '#cli/options-of.ts';
import type { Release } from '#contract/bundle/release.ts';
import { formatTable } from '#contract/text/table.ts';
import type { PublicKey } from '#contract/trust/keys.ts';
import { orFileError } from '#files/file-error.ts';
import { paintFor } from '#terminal/paint-for.ts';
import type { SignedHead } from '../bundle/sign/sign-release.ts';
import type { CommandContext } from './context.ts';
import { withOutputOptions } from './options.ts';

const example = `
Example:
  landfall sign landfall-2.0.0-amd64.tar --key recovery.key

Signs a bundle again, for example with the offline recovery key after a change of keys. Verifies the
whole bundle first. Needs no network, and as much free disk space as the bundle has.
`;

/** `landfall sign`: replaces the signatures of a bundle. */
export function signCommand(context: CommandContext) {
  return definition().action((path, flags) => sign(context, path, flags));
}

const definition = () =>
  withOutputOptions(
    new Command('sign')
      .description('sign a bundle with another key, such as the recovery key')
      .argument('<bundle>', 'path of the .tar file')
      .requiredOption('--key <source>', 'private key: a file, env:NAME, or - for standard input'),
  ).addHelpText('after', example);

type SignFlags = OptionsOf<typeof definition>;

/** Signs a bundle again and prints the result. @throws LandfallError of `resignBundle` and keys */
async function sign(context: CommandContext, path: string, flags: SignFlags): Promise<void> {
  const { formatKeyId } = await import('#contract/trust/keys.ts');
  const { chooseReporter, printWarnings } = await import('../base/progress/reporter.ts');
  const { resignBundle } = await import('../bundle/resign/resign-bundle.ts');
  const { readSigningKey } = await import('../bundle/sign/private-key.ts');
  const { keyInputs, keySource } = await import('./keys.ts');
  const { cwd, stdout, env } = context;
  const bundle = resolve(cwd, path);
  const signer = await readSigningKey(keySource(context, flags), keyInputs(context));
  const key = signer.public;
  const reporter = chooseReporter(context, flags);
  const { release, manifestSha256, before, head } = await resignBundle(
    bundle,
    signer,
    reporter,
  ).finally(() => reporter.close());
  await replaceBeside(bundle, head);
  const { product, version, arch, kind } = release;
  const role = roleOf(key, release);
  const warnings = role === null ? [unknownKey] : [];
  if (flags.json) {
    const result = { path, product, version, arch, kind, manifestSha256 };
    const keys = { signer: { keyId: key.id, role }, before: before.key.id };
    stdout.write(`${JSON.stringify({ ...result, ...keys, warnings })}\n`);
    return;
  }
  if (flags.quiet) return;
  printWarnings(context, warnings);
  const table = formatTable([
    ['  signed by', `${formatKeyId(key.id)}${role === null ? '' : `  (${role} key)`}`],
    ['  before', formatKeyId(before.key.id)],
    ['  release.json', `${manifestSha256}, unchanged`],
  ]);
  const title = paintFor(stdout, env)('green', `signed: ${product} ${version} for ${arch}`);
  stdout.write(`${title}\n${table}\n`);
}

/** Replaces the published signatures beside a bundle, if they exist. */
async function replaceBeside(bundle: string, head: SignedHead): Promise<void> {
  const { signatureName, sigstoreName } = await import('#contract/bundle/head.ts');
  const { replaceFile } = await import('#files/replace-file.ts');
  const base = bundle.replace(/\.tar$/, '');
  for (const member of [signatureName, sigstoreName]) {
    const path = `${base}.${member}`;
    const bytes = head.get(member);
    if (!bytes || !existsSync(path)) continue;
    await orFileError(path, replaceFile(path, bytes));
  }
}

const unknownKey =
  'the release does not announce this key: only a verifier that already trusts it accepts the release';

/** Returns the role that the release announces for a key; null for none. */
function roleOf({ spki }: PublicKey, { keys }: Release): 'recovery' | 'release' | null {
  if (keys.recovery === spki) return 'recovery';
  return keys.release.includes(spki) ? 'release' : null;
}
