import type { Command } from 'commander';
import { completionScript } from '#cli/completion/script.ts';
import { completionTree } from '#cli/completion/tree.ts';
import { firstBoot } from '../first-boot.ts';
import { releaseFolder } from './release-folder.ts';
import { rootCommand } from './root-command.ts';

const example = `
Example:
  sudo landfall first-boot
`;

/** `landfall first-boot`: sets the server up, or what is missing of it. */
export function firstBootCommand(): Command {
  const command = rootCommand('first-boot')
    .description('set this server up, or what is missing of it')
    .addHelpText('after', example);
  return command.action(async () => {
    const tree = completionTree(command.parent ?? command);
    await firstBoot(await releaseFolder(), completionScript('bash', tree));
  });
}
