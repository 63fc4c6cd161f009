import { exampleText, rootCommand, serverContext } from '../command.ts';

// The code is loaded on demand: a first boot needs none of it, and has little memory.

/** `landfall uninstall`: removes Landfall from the server. */
export function uninstallCommand() {
  return rootCommand('uninstall')
    .description(
      'remove Landfall from this server; keeps the chats and models unless told otherwise',
    )
    .option('--delete-data', 'also delete chats, documents, models, keys and secrets')
    .option('--yes', 'do not ask; not enough for --delete-data')
    .addHelpText(
      'after',
      exampleText('sudo landfall uninstall', 'sudo landfall uninstall --delete-data'),
    )
    .action(async ({ deleteData = false, yes = false }) => {
      const { uninstall } = await import('./uninstall.ts');
      await uninstall(await serverContext(), { deleteData, yes });
    });
}
