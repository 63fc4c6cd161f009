import { Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { takeChangeLock } from '../../host/lock/change-lock.ts';
import { addProxychains, proxychainsPath, removeProxychains } from '../../route/proxychains.ts';
import { consoleReporter } from '../console-reporter.ts';
import { serverFacts } from '../server-facts.ts';

/** `landfall route proxychains`: sets proxychains4 up for programs that ignore proxy variables. */
export function routeProxychainsCommand(): Command {
  return new Command('proxychains')
    .description('install proxychains4 with the proxy of the site')
    .option('--off', 'remove its settings')
    .action(proxychains);
}

async function proxychains({ off }: { readonly off?: boolean }): Promise<void> {
  const context = { ...(await serverFacts()), report: consoleReporter };
  await takeChangeLock(context.host, console.log);
  if (off) {
    await removeProxychains(context.host);
    console.log('The settings of proxychains4 are removed.');
    return;
  }
  if (context.site.route.mode === 'direct') {
    throw new LandfallError('CONFIG_MISSING', 'the site has no proxy', {
      hint: 'Set route in /etc/landfall/site.json, then run `sudo landfall first-boot`.',
    });
  }
  await addProxychains(context);
  console.log(`Run: proxychains4 -f /${proxychainsPath} <command>`);
}
