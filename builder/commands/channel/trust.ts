import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { OptionsOf } from '#cli/options-of.ts';
import type { TrustAnchor } from '#contract/trust/anchor.ts';
import { orFileError } from '#files/file-error.ts';
import type { CommandContext } from '../context.ts';
import { collect } from '../options.ts';

const example = `
Example:
  landfall trust rotate --key recovery.key --release-key new-release.pub

A rotation replaces the keys that servers trust. They follow it before they read a channel. Publish the
folder trust/ beside the folder of the channel, and sign the channel again with a new key.
See docs/keys.md.
`;

/** `landfall trust`: the keys that servers trust. */
export function trustCommand(context: CommandContext) {
  return new Command('trust')
    .description('change and show the keys that servers trust')
    .addCommand(
      subcommand('rotate', 'replace the trusted keys; needs the recovery key')
        .requiredOption('--key <source>', 'private recovery key: a file, env:NAME, or -')
        .requiredOption(
          '--release-key <file>',
          'public release key from now on; repeatable',
          collect,
          [],
        )
        .option('--recovery-key <file>', 'public recovery key from now on (default: the same)')
        .option(
          '--revoke <file>',
          'public key that is never trusted again; repeatable',
          collect,
          [],
        )
        .option('--floor <version>', 'the oldest release that servers install from now on')
        .action((flags) => rotate(context, flags)),
    )
    .addCommand(
      subcommand('show', 'show the keys after the last rotation').action((flags) =>
        show(context, flags),
      ),
    )
    .addHelpText('after', example);
}

const examples = {
  rotate: 'landfall trust rotate --key recovery.key --release-key next.pub',
  show: 'landfall trust show --json',
};

function subcommand(name: keyof typeof examples, description: string) {
  return new Command(name)
    .description(description)
    .addHelpText('after', `\nExample:\n  ${examples[name]}\n`)
    .option('--folder <folder>', 'folder with trust/, the channels and the releases', '.')
    .option('--product <name>', 'product of the appliance', 'landfall')
    .option('--json', 'print the keys as JSON');
}

type TrustFlags = OptionsOf<typeof subcommand>;

interface RotateFlags extends TrustFlags {
  readonly key: string;
  readonly releaseKey: readonly string[];
  readonly recoveryKey?: string;
  readonly revoke: readonly string[];
  readonly floor?: string;
}

/** Writes the next rotation. @throws LandfallError KEY_…, TRUST_REFUSED, FILE_…, USAGE */
async function rotate(context: CommandContext, flags: RotateFlags): Promise<void> {
  const { instant } = await import('../../deliver/channel/channel-folder.ts');
  const { rotateKeys } = await import('../../deliver/channel/rotations.ts');
  const { readPublicKey } = await import('#contract/trust/keys.ts');
  const { readSigningKey } = await import('../../bundle/sign/private-key.ts');
  const { keyInputs, keySource } = await import('../keys.ts');
  const load = async (file: string) => {
    const path = resolve(context.cwd, file);
    return readPublicKey(await orFileError(path, readFile(path, 'utf8')));
  };
  // All public keys first, so that a wrong path is found before the passphrase is typed.
  const release = await Promise.all(flags.releaseKey.map(load));
  const revoked = await Promise.all(flags.revoke.map(load));
  const next = flags.recoveryKey === undefined ? undefined : await load(flags.recoveryKey);
  const signer = await readSigningKey(keySource(context, flags), keyInputs(context));
  const root = resolve(context.cwd, flags.folder);
  const { product, floor } = flags;
  const keys = { product, release, recovery: next ?? signer.public, revoked, floor };
  await print(context, flags, await rotateKeys(root, keys, signer, instant(new Date())));
}

async function show(context: CommandContext, flags: TrustFlags): Promise<void> {
  const { lastRotation } = await import('../../deliver/channel/rotations.ts');
  await print(
    context,
    flags,
    await lastRotation(resolve(context.cwd, flags.folder), flags.product),
  );
}

async function print(
  { stdout }: CommandContext,
  { json }: TrustFlags,
  anchor: TrustAnchor | undefined,
): Promise<void> {
  if (json) {
    stdout.write(`${JSON.stringify({ keys: anchor ?? null })}\n`);
    return;
  }
  if (!anchor) {
    stdout.write('no rotation: servers trust the keys of their user-data\n');
    return;
  }
  const { formatTable } = await import('#contract/text/table.ts');
  const { formatKeyId, readPublicKey } = await import('#contract/trust/keys.ts');
  const row = (role: string) => (key: string) => [role, formatKeyId(readPublicKey(key).id)];
  const table = formatTable([
    ...anchor.release.map(row('release key')),
    ...(anchor.recovery ? [anchor.recovery] : []).map(row('recovery key')),
    ...anchor.revoked.map(row('revoked')),
    ...(anchor.floor ? [['oldest release', anchor.floor]] : []),
  ]);
  stdout.write(`after rotation ${anchor.trust}:\n${table}\n`);
}
