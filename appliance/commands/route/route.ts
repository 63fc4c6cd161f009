import { Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { installedMark } from '#contract/server-paths.ts';
import { effectiveRoute } from '#contract/site/network/effective-route.ts';
import { exportCommand, importCommand } from '#proxies/command.ts';
import { pacFile } from '#proxy-settings/pac.ts';
import { readText } from '../../host/files.ts';
import { takeChangeLock } from '../../host/lock/change-lock.ts';
import type { Facts } from '../../load-facts.ts';
import { routeStage } from '../../route/stage.ts';
import { undoRoute, withoutRoute } from '../../route/undo-route.ts';
import { runtimeStage } from '../../runtime/stage.ts';
import { stackStage } from '../../stack/stage.ts';
import { Journal } from '../../stage/journal.ts';
import { runAlone } from '../../stage/run-stages.ts';
import type { Stage } from '../../stage/stage.ts';
import { commandGroup } from '../command-group.ts';
import { consoleReporter } from '../console-reporter.ts';
import type { JsonFlag } from '../json-flag.ts';
import { serverFacts } from '../server-facts.ts';
import { turnCaptureOn } from './capture.ts';
import { matchFirewall } from './match-firewall.ts';
import { proxiesContext } from './proxies-context.ts';
import { routeProxychainsCommand } from './proxychains.ts';
import { routeRedirectCommand } from './redirect.ts';
import { describeRoute, shownRoute } from './show.ts';
import { routeTestCommand } from './test.ts';

const example = `
Example:
  sudo landfall route show
  sudo landfall route test
  sudo landfall route import proxies.yaml

In login shells, proxy_on and proxy_off turn the proxy of the site on and off.
`;

/** `landfall route`: shows the route of this server, and turns it off and on. */
export function routeCommand(): Command {
  const show = new Command('show')
    .description('show the route, without passwords (default)')
    .option('--json', 'print it as JSON')
    .action(showRoute);
  return commandGroup('route', show, [
    routeTestCommand(),
    new Command('on').description('apply the route of the site').action(on),
    new Command('off').description('undo the route on this server; the site keeps it').action(off),
    routeRedirectCommand(),
    routeProxychainsCommand(),
    importCommand(proxiesContext),
    exportCommand(proxiesContext),
    new Command('pac').description('print a PAC file for browsers and editors').action(pac),
  ])
    .description('show and check the route of this server, and turn it off and on')
    .addHelpText('after', example);
}

async function showRoute({ json }: JsonFlag): Promise<void> {
  const shown = await shownRoute({ ...(await serverFacts()), report: consoleReporter });
  console.log(json ? JSON.stringify(shown, null, 2) : describeRoute(shown));
}

async function on(): Promise<void> {
  const facts = await serverFacts();
  await takeChangeLock(facts.host, console.log);
  await applyStages([routeStage], facts);
  await applyRest(facts);
  console.log('The route of the site is on. Log in again to use it in your shell.');
  await turnCaptureOn({ ...facts, report: consoleReporter });
}

async function off(): Promise<void> {
  const facts = await serverFacts();
  await takeChangeLock(facts.host, console.log);
  const changed = await undoRoute({ ...facts, report: consoleReporter });
  await applyRest({ ...facts, site: withoutRoute(facts.site) });
  for (const path of changed) {
    console.log(`/${path} was changed after Landfall set a mirror in it, and was not restored.`);
  }
  console.log(
    'The route is off. In open shells, run: proxy_off\n`sudo landfall route on` or the next first boot applies the route of the site again.',
  );
}

async function pac(): Promise<void> {
  const route = effectiveRoute((await serverFacts()).site, 'host');
  if (route.mode === 'direct') throw noProxy();
  console.log(pacFile(route.url, route.no_proxy).trimEnd());
}

function noProxy(): LandfallError {
  return new LandfallError('CONFIG_MISSING', 'the site has no proxy', {
    hint: 'Set route in /etc/landfall/site.json, then run `sudo landfall first-boot`.',
  });
}

/** Applies the route in the firewall and in the stages whose settings contain it. */
async function applyRest(facts: Facts): Promise<void> {
  if ((await readText(facts.host, installedMark)) === undefined) return;
  await matchFirewall(facts);
  await applyStages([runtimeStage, stackStage], facts);
}

async function applyStages(stages: readonly Stage[], facts: Facts): Promise<void> {
  const context = { ...facts, report: consoleReporter };
  for (const stage of stages) await runAlone(stage, context, new Journal(facts.host));
}
