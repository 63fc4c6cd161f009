import { join, resolve } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { formatKeyId } from '#contract/trust/keys.ts';
import { printWarnings } from '../progress/reporter.ts';
import { generateKey } from '../sign/generate-key.ts';
import { keyFolder } from '../sign/key-folder.ts';
import { type KeyPairFiles, writeKeyPair } from '../sign/key-pair-files.ts';
import { passphraseVariable } from '../sign/passphrase-variable.ts';
import { askPassphrase } from './ask-passphrase.ts';
import type { CommandContext } from './context.ts';

/** Options of `landfall keygen`. */
export interface KeygenFlags {
  readonly name: string;
  readonly output?: string;
  readonly passphrase?: boolean;
  readonly json?: boolean;
}

/** Writes a new ECDSA P-256 key pair. @throws LandfallError KEY_PASSPHRASE, and those of files */
export async function keygenAction(context: CommandContext, flags: KeygenFlags): Promise<void> {
  const { cwd, env } = context;
  const base =
    flags.output === undefined
      ? join(keyFolder(env), checkedName(flags.name))
      : resolve(cwd, flags.output);
  const passphrase = flags.passphrase ? await newPassphrase(context) : undefined;
  const pair = generateKey(passphrase);
  const files = await writeKeyPair(base, pair, env);
  report(context, flags, files, pair.public.id);
}

/** Rejects paths: a name is a file in the key folder. @throws LandfallError USAGE */
function checkedName(name: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) return name;
  throw new LandfallError('USAGE', '--name is not a valid key name', {
    hint: 'Use letters, digits, dots, dashes and underscores; use --output for another folder.',
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
  stdout.write(`private key  ${privateKey}  (keep it secret: it signs releases)
public key   ${publicKey}  (publish it)
key id       ${formatKeyId(keyId)}  (publish it on a second site, so that users can compare it)\n`);
}

function inWorkTree(key: string, workTree: string, elsewhere: string): string {
  return `${key} is in the git work tree ${workTree}, and only .gitignore prevents a commit. Move it to ${elsewhere}.`;
}

/** @throws LandfallError KEY_PASSPHRASE when none can be read, or the two inputs differ */
async function newPassphrase({ env, interactive }: CommandContext): Promise<string> {
  const given = env[passphraseVariable];
  if (given) return given;
  if (!interactive) {
    throw new LandfallError('KEY_PASSPHRASE', 'cannot prompt for a passphrase: not a terminal', {
      hint: `Set the environment variable ${passphraseVariable}, or run this on a terminal.`,
    });
  }
  const first = await askPassphrase('New passphrase');
  const second = await askPassphrase('Repeat the passphrase');
  if (first === second && first !== '') return first;
  throw new LandfallError('KEY_PASSPHRASE', 'the passphrase is empty or the two inputs differ', {
    hint: 'Try again; nothing was written.',
  });
}
