import { open, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { formatKeyId } from '#contract/keys.ts';
import { fileError } from '../files/file-error.ts';
import { generateKey } from '../sign/generate-key.ts';
import { passphraseVariable } from '../sign/private-key.ts';
import { askPassphrase } from './ask-passphrase.ts';
import type { CommandContext } from './context.ts';

interface KeygenFlags {
  readonly output: string;
  readonly passphrase?: boolean;
  readonly json?: boolean;
}

const example = `
Example:
  landfall keygen --output release          a key for CI: release.key and release.pub
  landfall keygen --output recovery --passphrase
                                            a recovery key to keep offline

Without a terminal the passphrase is taken from ${passphraseVariable}.
`;

/** `landfall keygen`: an ECDSA P-256 key pair. */
export function keygenCommand(context: CommandContext): Command {
  return new Command('keygen')
    .description('make a key pair that signs releases')
    .option('--output <path>', 'writes <path>.key and <path>.pub', 'release')
    .option('--passphrase', 'encrypt the private key with a passphrase')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', example)
    .action(async (flags: KeygenFlags) => {
      const passphrase = flags.passphrase ? await newPassphrase(context) : undefined;
      const pair = generateKey(passphrase);
      const base = resolve(context.cwd, flags.output);
      await writeNew(`${base}.key`, pair.privatePem, 0o600);
      await writeNew(`${base}.pub`, pair.publicPem, 0o644).catch(async (error: unknown) => {
        await rm(`${base}.key`, { force: true });
        throw error;
      });
      const { id } = pair.public;
      context.stdout.write(
        flags.json
          ? `${JSON.stringify({ privateKey: `${base}.key`, publicKey: `${base}.pub`, keyId: id })}\n`
          : `private key  ${flags.output}.key  (keep it secret; whoever has it can sign releases)
public key   ${flags.output}.pub  (publish it)
key id       ${formatKeyId(id)}  (publish it in a second place, so that people can compare)\n`,
      );
    });
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

/** Never over an existing file: a key that is gone cannot be made again. */
async function writeNew(path: string, text: string, mode: number): Promise<void> {
  try {
    const file = await open(path, 'wx', mode);
    try {
      await writeFile(file, text);
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw fileError(error, path);
    throw new LandfallError('KEY_EXISTS', `${path} exists already`, {
      hint: 'Choose another name with --output, or move the old key away yourself.',
      cause: error,
    });
  }
}
