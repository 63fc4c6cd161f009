import { Command } from 'commander';
import { manualPage } from '#cli/manual/page.ts';
import type { CommandContext } from './context.ts';

const example = `
Example:
  landfall manual > ~/.local/share/man/man1/landfall.1
  man landfall

The npm package installs this page. After \`npm link\` in a checkout, write it yourself.
`;

/** `landfall manual`: prints the manual page of all commands. */
export function manualCommand({ stdout }: CommandContext) {
  const command = new Command('manual')
    .description('print the manual page for `man landfall`')
    .addHelpText('after', example);
  return command.action(() => {
    stdout.write(manualPage(command.parent ?? command, 1));
  });
}
