import { Command } from 'commander';
import type { CommandContext } from '../actions/context.ts';
import type { SignFlags } from '../actions/sign.ts';

const example = `
Example:
  landfall sign landfall-2.0.0-amd64.tar --key recovery.key

Signs a bundle again, for example with the offline recovery key after a change of keys. Verifies the
whole bundle first. Needs no network, and as much free disk space as the bundle has.
`;

/** `landfall sign`: replaces the signatures of a bundle. */
export function signCommand(context: CommandContext): Command {
  return new Command('sign')
    .description('sign a bundle with another key, such as the recovery key')
    .argument('<bundle>', 'path of the .tar file')
    .requiredOption('--key <source>', 'private key: a file, env:NAME, or - for standard input')
    .option('--quiet', 'print only errors')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', example)
    .action(async (path: string, flags: SignFlags) => {
      const { signAction } = await import('../actions/sign.ts');
      await signAction(context, path, flags);
    });
}
