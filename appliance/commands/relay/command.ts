import { Command, InvalidArgumentError, Option } from 'commander';
import { addSubcommands } from '#cli/subcommands.ts';
import { clientApis } from '#clients/client.ts';
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
  return addSubcommands(rootCommand('relay'), usage, [clientCommand(), keyCommand()])
    .description('connect clients; show what relay keys have used; change keys')
    .addHelpText(
      'after',
      exampleText(
        'sudo landfall relay client claude-code',
        'sudo landfall relay usage --since 7d',
        'sudo landfall relay key add anna --tokens-per-month 3000000',
      ),
    );
}

/** `landfall relay client`: what to paste into a client. */
function clientCommand() {
  return new Command('client')
    .description('print the settings of a client, such as Claude Code, and make its relay key')
    .argument('[name]', 'such as claude-code; without it, the clients are listed')
    .option('--key <name>', 'relay key to use, or to make (default: the name of the client)')
    .option('--budget <limit>', 'tokens of a new key: 200k/day, 3M/month', parseBudget)
    .option('--model <name>', 'model (default: one that the key may use, of this server first)')
    .addOption(new Option('--api <name>', 'API of the client').choices(clientApis))
    .option('--qr', 'also print its link as a QR code, for apps with a link')
    .option('--json', 'print them as JSON, also to a file or a pipe')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      exampleText(
        'sudo landfall relay client codex',
        'sudo landfall relay client opencode --key laptop --budget 3M/month',
      ),
    )
    .action(async (name, options) => {
      const { showClient } = await import('./client.ts');
      await showClient(await serverFacts(), name, options);
    });
}

const units = new Map([
  ['', 1],
  ['k', 1e3],
  ['m', 1e6],
]);

/** Returns the limit that `3M/month` means. */
function parseBudget(text: string): { tokensPerDay?: number; tokensPerMonth?: number } {
  const [, digits, unit = '', time] = /^([1-9]\d{0,11})([km]?)\/(day|month)$/i.exec(text) ?? [];
  const tokens = Number(digits) * (units.get(unit.toLowerCase()) ?? Number.NaN);
  if (tokens <= 1e12) {
    return time?.toLowerCase() === 'day' ? { tokensPerDay: tokens } : { tokensPerMonth: tokens };
  }
  throw new InvalidArgumentError('Use a number of tokens and a time, such as 3M/month.');
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
