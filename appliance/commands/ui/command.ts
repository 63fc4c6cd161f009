import { Command, Option } from 'commander';
import { addSubcommands } from '#cli/subcommands.ts';
import { chatServerFacts, commandGroup, consoleReporter, exampleText } from '../command.ts';
import type { NewUserOptions } from './add-user.ts';

// The code is loaded on demand: a first boot needs none of it, and has little memory.

/** `landfall ui`: lists and adds accounts of the chat UI, and sets a lost password. */
export function uiCommand() {
  const list = new Command('list')
    .description('list the accounts of the chat UI (default)')
    .option('--json', 'print them as JSON')
    .action(async ({ json }) => {
      const { showUsers } = await import('./users.ts');
      await showUsers(await chatServerFacts(), json);
    });
  const add = new Command('add')
    .description('add an account, and print its password once')
    .argument('<email>', 'what the user signs in with')
    .option('--name <name>', 'shown in the chat; default: the email address up to the @')
    .addOption(
      new Option('--role <role>', 'what the account may do').choices(roles).default('user'),
    )
    .option('--ask', 'ask for the password instead of generating one')
    .action(async (email, options) => {
      const { addUser } = await import('./add-user.ts');
      await addUser(await chatServerFacts(), email, options);
    });
  const users = addSubcommands(new Command('users'), list, [add])
    .description('list the accounts of the chat UI, or add one')
    .addHelpText('after', exampleText('sudo landfall ui users add anna@example.com'));
  const password = new Command('password')
    .description('set a new password for an account that has lost it')
    .argument('[email]', 'the account; default: the oldest administrator')
    .option('--ask', 'ask for the password instead of generating one')
    .option('--yes', 'do not ask for confirmation')
    .action(async (email, options) => {
      const { changePassword } = await import('./password.ts');
      const context = { ...(await chatServerFacts()), report: consoleReporter };
      await changePassword(context, email, options);
    });
  return commandGroup('ui', users, [password])
    .description('list and add accounts of the chat UI, and set a lost password')
    .addHelpText(
      'after',
      exampleText(
        'sudo landfall ui users add anna@example.com',
        'sudo landfall ui password me@example.com',
      ),
    );
}

const roles: readonly NewUserOptions['role'][] = ['user', 'admin'];
