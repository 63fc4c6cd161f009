import { Command } from 'commander';
import {
  chatServerFacts,
  commandGroup,
  consoleReporter,
  exampleText,
  type JsonFlag,
} from '../command.ts';
import type { PasswordOptions } from './password.ts';

// The code is loaded on demand: a first boot needs none of it, and has little memory.

/** `landfall ui`: lists the accounts of the chat UI, and sets a lost password. */
export function uiCommand(): Command {
  const users = new Command('users')
    .description('list the accounts of the chat UI')
    .option('--json', 'print them as JSON')
    .action(async ({ json }: JsonFlag) => {
      const { showUsers } = await import('./users.ts');
      await showUsers(await chatServerFacts(), json);
    });
  const password = new Command('password')
    .description('set a new password for an account that has lost it')
    .argument('[email]', 'the account; default: the oldest administrator')
    .option('--ask', 'ask for the password instead of generating one')
    .option('--yes', 'do not ask for confirmation')
    .action(async (email: string | undefined, options: PasswordOptions) => {
      const { changePassword } = await import('./password.ts');
      const context = { ...(await chatServerFacts()), report: consoleReporter };
      await changePassword(context, email, options);
    });
  return commandGroup('ui', users, [password])
    .description('list the accounts of the chat UI, and set a lost password')
    .addHelpText('after', exampleText('sudo landfall ui password me@example.com'));
}
