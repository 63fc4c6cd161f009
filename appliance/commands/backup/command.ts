import { Command, Option } from 'commander';
import { commandGroup, exampleText, serverFacts } from '../command.ts';

// The code is loaded on demand: a first boot needs none of it, and has little memory.

/** `landfall backup`: makes, lists, checks and tests backups. */
export function backupCommand() {
  const statusCommand = new Command('status')
    .description('show the last backup at each target (default)')
    .option('--json', 'print it as JSON')
    .action(async ({ json }) => {
      const { showStatus } = await import('./show.ts');
      await showStatus(await serverFacts(), json);
    });
  const showCommand = new Command('show')
    .description('show the password again, in groups and as a QR code (default)')
    .option('--yes', 'do not ask')
    .action(async ({ yes }) => {
      const { showKey } = await import('./key.ts');
      await showKey(await serverFacts(), yes);
    });
  const newCommand = new Command('new')
    .description('replace the password at each target')
    .action(async () => {
      const { newKey } = await import('./key.ts');
      await newKey(await serverFacts());
    });
  const key = new Command('key')
    .description('show or replace the password of the backups')
    .addCommand(showCommand, { isDefault: true })
    .addCommand(newCommand);
  return commandGroup('backup', statusCommand, [
    new Command('init').description('create the repositories and the password').action(async () => {
      const { initBackup } = await import('./init.ts');
      await initBackup(await serverFacts());
    }),
    new Command('run')
      .description('make a backup now')
      .option(
        '--take-over',
        'continue the backups of the earlier server, which is stopped for good',
      )
      .addOption(new Option('--scheduled', 'used by the timer').hideHelp())
      .action(async (flags) => {
        const { makeBackup } = await import('./run.ts');
        await makeBackup(await serverFacts(), flags);
      }),
    new Command('list')
      .description('show the backups at each target')
      .option('--json', 'print them as JSON')
      .action(async ({ json }) => {
        const { showSnapshots } = await import('./show.ts');
        await showSnapshots(await serverFacts(), json);
      }),
    new Command('check')
      .description('verify the structure and 2 % of the data at each target')
      .action(async () => {
        const { checkTargets } = await import('./run.ts');
        await checkTargets(await serverFacts());
      }),
    new Command('test')
      .description('restore the last backup of each target into a scratch folder, and check it')
      .addOption(new Option('--scheduled', 'used by the timer').hideHelp())
      .action(async (flags) => {
        const { testTargets } = await import('./test.ts');
        await testTargets(await serverFacts(), flags);
      }),
    key,
  ])
    .description('make backups of chats, documents and settings')
    .addHelpText('after', exampleText('sudo landfall backup init', 'sudo landfall backup list'));
}
