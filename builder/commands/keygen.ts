import { Command, Option } from 'commander';
import type { CommandContext } from '../actions/context.ts';
import type { KeygenFlags } from '../actions/keygen.ts';
import { releaseKeyName } from '../sign/key-folder.ts';
import { passphraseVariable } from '../sign/passphrase-variable.ts';

const example = `
Example:
  landfall keygen                           create the key pair that signs your releases
  landfall keygen --name recovery --passphrase
                                            create a recovery key; keep it offline
  landfall keygen --output /media/usb/release

Keys are stored in $XDG_CONFIG_HOME/landfall/keys (default: ~/.config/landfall/keys), outside of
projects, so that they are not committed by mistake. Other commands read release.key and release.pub
from there. Without a terminal, the passphrase is read from ${passphraseVariable}.
`;

/** `landfall keygen`: creates an ECDSA P-256 key pair. */
export function keygenCommand(context: CommandContext): Command {
  return new Command('keygen')
    .description('create a key pair that signs releases')
    .option('--name <name>', 'name of the key pair in the key folder', releaseKeyName)
    .addOption(
      new Option(
        '--output <path>',
        'write <path>.key and <path>.pub instead of using the key folder',
      ).conflicts('name'),
    )
    .option('--passphrase', 'encrypt the private key with a passphrase')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', example)
    .action(async (flags: KeygenFlags) => {
      const { keygenAction } = await import('../actions/keygen.ts');
      await keygenAction(context, flags);
    });
}
