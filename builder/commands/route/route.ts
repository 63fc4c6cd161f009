import { Command } from 'commander';
import { addSubcommands } from '#cli/subcommands.ts';
import { exportCommand, importCommand } from '#proxies/command.ts';
import type { CommandContext } from '../context.ts';
import { collect } from '../options.ts';

const example = `
Example:
  landfall route on http://10.0.0.2:7890
  landfall route on socks5h://me@proxy.example:1080     prompts for the password
  landfall route pac > proxy.pac
  landfall route proxychains --output ~/.proxychains/proxychains.conf
  landfall route import                                 prompts for the URL of a subscription
  landfall route export --format mihomo --output config.yaml

New shells use the proxy, and have the functions proxy_on and proxy_off. The password is in
~/.config/landfall/route, which only you can read.
`;

const exampleOf = (words: string) => `
Example:
  landfall route ${words}
`;

/** `landfall route`: shows, sets and removes the proxy of the shells of this user. */
export function routeCommand(context: CommandContext) {
  const show = new Command('show')
    .description('show the proxy of your shells, without its password (default)')
    .option('--json', 'print it as JSON')
    .addHelpText('after', exampleOf('show --json'))
    .action(async (flags) => {
      const { routeShowAction } = await import('./actions.ts');
      await routeShowAction(context, flags);
    });
  const on = new Command('on')
    .description('use a proxy in new shells of bash, zsh and fish')
    .argument('<url>', 'such as http://10.0.0.2:7890, without a password')
    .option(
      '--exempt <host>',
      'also reach this host, domain or network directly (repeatable)',
      collect,
      [],
    )
    .option('--json', 'print the result as JSON')
    .addHelpText('after', exampleOf('on http://10.0.0.2:7890 --exempt .example.com'))
    .action(async (url, flags) => {
      const { routeOnAction } = await import('./actions.ts');
      await routeOnAction(context, url, flags);
    });
  const off = new Command('off')
    .description('remove the proxy from the startup files of your shells')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', exampleOf('off'))
    .action(async (flags) => {
      const { routeOffAction } = await import('./actions.ts');
      await routeOffAction(context, flags);
    });
  const pac = new Command('pac')
    .description('print a PAC file for browsers and editors')
    .addHelpText('after', exampleOf('pac > proxy.pac'))
    .action(async () => {
      const { routePacAction } = await import('./actions.ts');
      await routePacAction(context);
    });
  const proxychains = new Command('proxychains')
    .description('print settings of proxychains4 for programs that ignore proxy variables')
    .option('--output <path>', 'write them to a file that only you can read')
    .addHelpText('after', exampleOf('proxychains --output ~/.proxychains/proxychains.conf'))
    .action(async (flags) => {
      const { routeProxychainsAction } = await import('./actions.ts');
      await routeProxychainsAction(context, flags);
    });
  const contextOf = async () => {
    const { proxiesContext } = await import('./settings.ts');
    return proxiesContext(context);
  };
  const proxies = [importCommand(contextOf), exportCommand(contextOf)];
  return addSubcommands(new Command('route'), show, [on, off, pac, proxychains, ...proxies])
    .description('set the proxy of your shells, and import proxies')
    .addHelpText('after', example);
}
