import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { formatKeyId } from '#contract/trust/keys.ts';
import { printWarnings } from '../progress/print-warnings.ts';
import { generateKey } from '../sign/generate-key.ts';
import { keyFolder, releaseKeyName } from '../sign/key-folder.ts';
import { type KeyPairFiles, writeKeyPair } from '../sign/key-pair-files.ts';
import { passphraseVariable } from '../sign/private-key.ts';
import { askPassphrase } from './ask-passphrase.ts';
import type { CommandContext } from './context.ts';

interface KeygenFlags {
  readonly name: string;
  readonly output?: string;
  readonly passphrase?: boolean;
  readonly json?: boolean;
}

const example = `
Example:
  landfall keygen                           the pair that signs your releases
  landfall keygen --name recovery --passphrase
                                            a recovery key; move it to where no network is
  landfall keygen --output /media/usb/release

Keys are kept in $XDG_CONFIG_HOME/landfall/keys, by default ~/.config/landfall/keys, outside of every
project: a key in a project is soon in its repository. Commands find release.key and release.pub there.
Without a terminal the passphrase is taken from ${passphraseVariable}.
`;

/** `landfall keygen`: an ECDSA P-256 key pair. */
export function keygenCommand(context: CommandContext): Command {
  return new Command('keygen')
    .description('make a key pair that signs releases')
    .option('--name <name>', 'the name of the pair in the folder of keys', releaseKeyName)
    .addOption(
      new Option(
        '--output <path>',
        'write <path>.key and <path>.pub instead of into the folder of keys',
      ).conflicts('name'),
    )
    .option('--passphrase', 'encrypt the private key with a passphrase')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', example)
    .action(async (flags: KeygenFlags) => {
      const { cwd, env } = context;
      const base =
        flags.output === undefined
          ? join(keyFolder(env), checkedName(flags.name))
          : resolve(cwd, flags.output);
      const passphrase = flags.passphrase ? await newPassphrase(context) : undefined;
      const pair = generateKey(passphrase);
      const files = await writeKeyPair(base, pair, env);
      report(context, flags, files, pair.public.id);
    });
}

/** A name and no path: what it names is in one folder. @throws LandfallError USAGE */
function checkedName(name: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) return name;
  throw new LandfallError('USAGE', '--name is not the name of a key', {
    hint: 'Use letters, digits, dots and dashes; for another folder use --output.',
  });
}

function report(
  { stdout, stderr, env }: CommandContext,
  { json }: KeygenFlags,
  { privateKey, publicKey, workTree }: KeyPairFiles,
  keyId: string,
): void {
  const warnings = workTree === undefined ? [] : [inWorkTree(privateKey, workTree, keyFolder(env))];
  if (json) {
    stdout.write(`${JSON.stringify({ privateKey, publicKey, keyId, warnings })}\n`);
    return;
  }
  printWarnings({ stderr, env }, warnings);
  stdout.write(`private key  ${privateKey}  (keep it secret: it can sign releases)
public key   ${publicKey}  (publish it)
key id       ${formatKeyId(keyId)}  (publish it in a second place, so that people can compare)\n`);
}

function inWorkTree(key: string, workTree: string, elsewhere: string): string {
  return `${key} is in the git work tree ${workTree}, and only .gitignore keeps it out of commits. Move it to ${elsewhere}.`;
}

/** @throws LandfallError KEY_PASSPHRASE when there is none to be had, or two that differ */
async function newPassphrase({ env, interactive }: CommandContext): Promise<string> {
  const given = env[passphraseVariable];
  if (given) return given;
  if (!interactive) {
    throw new LandfallError('KEY_PASSPHRASE', 'there is nobody to ask for a passphrase', {
      hint: `Put it into the environment variable ${passphraseVariable}.`,
    });
  }
  const first = await askPassphrase('New passphrase');
  const second = await askPassphrase('The same again');
  if (first === second && first !== '') return first;
  throw new LandfallError('KEY_PASSPHRASE', 'the passphrase is empty or the two differ', {
    hint: 'Try again; nothing was written.',
  });
}
