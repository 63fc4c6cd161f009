import { Command } from 'commander';
import type { CommandContext } from '../actions/context.ts';

const example = `
Example:
  landfall inspect landfall-1.0.0-amd64.tar

Reads only the head of the bundle. The key that it prints comes from the bundle and is untrusted:
use \`landfall verify --key\` to verify the signature with a key that you trust.
`;

/** `landfall inspect`: prints the contents, size and signing key from the head of a bundle. */
export function inspectCommand(context: CommandContext): Command {
  return new Command('inspect')
    .description('print the contents of a bundle without verifying it')
    .argument('<bundle>', 'path of the .tar file, of any part of it, or of a folder with bundles')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', example)
    .action(async (path: string, flags: { json?: boolean }) => {
      const { inspectAction } = await import('../actions/inspect.ts');
      await inspectAction(context, path, flags);
    });
}
