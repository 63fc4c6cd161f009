import { Command, InvalidArgumentError } from 'commander';
import { addSubcommands } from '#cli/subcommands.ts';
import { exampleText, rootCommand, serverContext, serverFacts } from '../command.ts';

/** `landfall relay`: shows what relay keys have used, and changes them. */
export function relayCommand() {
  const usage = new Command('usage')
    .description('show what relay keys with a budget have used, and what is left')
    .option('--key <name>', 'show one key only')
    .option('--since <days>', 'sum this many days, today included: 7d', parseDays, 30)
    .option('--json', 'print it as JSON')
    .option('--csv', 'print it as CSV')
    .action(async (options) => {
      const { showUsage } = await import('./usage.ts');
      await showUsage(await serverFacts(), options);
    });
  return addSubcommands(rootCommand('relay'), usage, [keyCommand()])
    .description('show what relay keys have used; add, replace and remove keys')
    .addHelpText(
      'after',
      exampleText(
        'sudo landfall relay usage --since 7d',
        'sudo landfall relay key add anna --tokens-per-month 3000000',
      ),
    );
}

/** `landfall relay key`: changes `relay.keys` of the site. */
function keyCommand() {
  const add = new Command('add')
    .description('add a relay key to the site, apply the site, and print the key once')
    .argument('<name>', 'device or user')
    .option('--tokens-per-day <number>', 'tokens of prompts and answers per day', parseCount)
    .option('--tokens-per-month <number>', 'tokens per calendar month', parseCount)
    .option('--requests-per-day <number>', 'requests to models per day', parseCount)
    .option('--models <name...>', 'models that it may use, or prefixes such as text-embedding-*')
    .option('--expires <date>', 'last day on which it is valid: 2027-03-31')
    .option('--yes', 'do not ask for confirmation')
    .action(async (name, options) => {
      const { addKey } = await import('./key.ts');
      await addKey(await serverFacts(), name, options);
    });
  const rotate = new Command('rotate')
    .description('replace a relay key, and print the new one once')
    .argument('<name>', 'device or user')
    .option('--yes', 'do not ask for confirmation')
    .action(async (name, { yes }) => {
      const { rotateKey } = await import('./key.ts');
      await rotateKey(await serverContext(), name, yes);
    });
  const remove = new Command('remove')
    .description('remove a relay key from the site, and apply the site')
    .argument('<name>', 'device or user')
    .option('--yes', 'do not ask for confirmation')
    .action(async (name, { yes }) => {
      const { removeKey } = await import('./key.ts');
      await removeKey(await serverFacts(), name, yes);
    });
  return new Command('key')
    .description('add, replace and remove relay keys')
    .addCommand(add)
    .addCommand(rotate)
    .addCommand(remove)
    .addHelpText(
      'after',
      exampleText(
        'sudo landfall relay key add anna --tokens-per-month 3000000 --models gpt-5-mini',
      ),
    );
}

function parseCount(text: string): number {
  if (/^[1-9]\d{0,12}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Use a whole number, such as 3000000.');
}

/** The relay keeps two months. */
const maxDays = 62;

function parseDays(text: string): number {
  const days = Number(/^(\d{1,2})d$/.exec(text)?.[1]);
  if (days >= 1 && days <= maxDays) return days;
  throw new InvalidArgumentError(`Use a number of days from 1d to ${maxDays}d.`);
}
