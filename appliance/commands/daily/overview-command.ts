import { Command } from 'commander';
import { exampleText } from '../command.ts';

/** `landfall` without arguments: the state of this server in five lines, and the next commands. */
export function overviewCommand() {
  return new Command('overview')
    .description('show the state in five lines; the same as landfall without arguments')
    .addHelpText('after', exampleText('landfall', 'landfall overview'))
    .action(async () => {
      const { showOverview } = await import('./show-overview.ts');
      await showOverview();
    });
}
