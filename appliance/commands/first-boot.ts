import type { Command } from 'commander';
import { completionScript } from '#cli/completion/script.ts';
import { completionTree } from '#cli/completion/tree.ts';
import { manualPage } from '#cli/manual/page.ts';
import { firstBoot } from '../first-boot.ts';
import { releaseFolder } from './release-folder.ts';
import { rootCommand } from './root-command.ts';

const example = `
Example:
  sudo landfall first-boot
`;

/** `landfall first-boot`: sets up the server, or completes an interrupted setup. */
export function firstBootCommand(): Command {
  const command = rootCommand('first-boot')
    .description('set up this server, or what is missing')
    .addHelpText('after', example);
  return command.action(async () => {
    const program = command.parent ?? command;
    await firstBoot(await releaseFolder(), {
      completion: completionScript('bash', completionTree(program)),
      manual: manualPage(program, 8),
    });
  });
}
