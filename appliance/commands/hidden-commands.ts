import { type CommandUnknownOpts, Option } from 'commander';
import { phases } from '../operations/transactions/phases.ts';
import type { CommandFiles } from '../server/host/install-command.ts';
import { rootCommand, serverFacts } from './command.ts';

// Commands of units and of other programs. Their code is loaded on demand: a first boot needs none of
// it, and has little memory.

/** `landfall apply-transaction`: applies the open update; the program of `landfall-update.service`. */
export function applyTransactionCommand() {
  return rootCommand('apply-transaction')
    .description('apply the open update; called by systemd')
    .action(async () => {
      const { driveUpdate } = await import('../operations/driver/apply.ts');
      await driveUpdate(await serverFacts());
    });
}

/** `landfall volume-task`: reads or copies the files of a volume. */
export function volumeTaskCommand() {
  return rootCommand('volume-task')
    .description('read or copy the files of a volume; called by an update')
    .argument('<task>')
    .argument('<folder>')
    .argument('<id>')
    .action(async (task, folder, id) => {
      const { runVolumeTask } = await import('../operations/driver/volume-tasks.ts');
      await runVolumeTask(task, folder, id);
    });
}

/** `landfall apply-release`: a phase of an update (decision 66). */
export function applyReleaseCommand(commandFiles: (program: CommandUnknownOpts) => CommandFiles) {
  const command = rootCommand('apply-release')
    .description('run a phase of an update; called by the release that is being replaced')
    .requiredOption('--transaction <id>', 'the open update')
    .addOption(new Option('--phase <name>', 'what to do').choices(phases).makeOptionMandatory())
    // The driver may be that of a later release.
    .allowUnknownOption()
    .allowExcessArguments();
  return command.action(async ({ transaction, phase }) => {
    const { applyRelease } = await import('./update/apply-release.ts');
    await applyRelease(transaction, phase, commandFiles(command.parent ?? command));
  });
}
