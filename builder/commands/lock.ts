import { Command } from 'commander';
import type { CommandContext } from '../actions/context.ts';
import type { LockFlags } from '../actions/lock.ts';
import { withNetworkOptions } from './network-options.ts';

const example = `
Example:
  landfall lock                    resolve new, changed and unresolved entries
  landfall lock --update ui        resolve the tag of ui again
  landfall lock --check            in CI: fail if the lock file is outdated
`;

/** `landfall lock`: writes the digests and sizes of images, files and models to the lock file. */
export function lockCommand(context: CommandContext): Command {
  const command = new Command('lock')
    .description('pin images, files and models by digest in appliance.lock.yaml')
    .option('--config <file>', 'path of the appliance', 'appliance.yaml')
    .option('--check', 'change nothing; fail if the lock file does not match the appliance')
    .option('--update [name]', 'resolve this component, file or model again (default: all)')
    .addHelpText('after', example);
  return withNetworkOptions(command).action(async (flags: LockFlags) => {
    const { lockAction } = await import('../actions/lock.ts');
    await lockAction(context, flags);
  });
}
