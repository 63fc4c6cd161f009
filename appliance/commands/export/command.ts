import { chatServerFacts, exampleText, rootCommand } from '../command.ts';

// The code is loaded on demand: a first boot needs none of it, and has little memory.

/** `landfall export`: writes chats, documents and the site into a folder, to read without Landfall. */
export function exportCommand() {
  return rootCommand('export')
    .description('write all chats and documents into a new folder')
    .argument('<folder>', 'a folder that does not exist or is empty')
    .option('--json', 'print the summary as JSON')
    .addHelpText('after', exampleText('sudo landfall export /srv/export'))
    .action(async (folder, { json }) => {
      const { exportServer } = await import('./run.ts');
      await exportServer(await chatServerFacts(), folder, json);
    });
}
