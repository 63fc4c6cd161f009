import { Command } from 'commander';
import { importedProxiesFile, installedMark } from '#contract/server-paths.ts';
import { effectiveRoute } from '#contract/site/network/effective-route.ts';
import { inLanguage, say } from '#contract/text/language.ts';
import type { ProxiesContext } from '#proxies/actions/import.ts';
import { exportCommand, importCommand } from '#proxies/command.ts';
import { pacFile } from '#proxy-settings/pac.ts';
import { networkOptions } from '../../server/host/download/download.ts';
import { readText } from '../../server/host/files.ts';
import { Host } from '../../server/host/host.ts';
import { takeChangeLock } from '../../server/host/lock/run-lock.ts';
import { runCommand } from '../../server/host/run/command.ts';
import { type Facts, readSite } from '../../server/load-facts.ts';
import { installedRelease } from '../../server/stage/installed.ts';
import { Journal } from '../../server/stage/journal.ts';
import { runAlone } from '../../server/stage/run-stages.ts';
import type { Context, Stage } from '../../server/stage/stage.ts';
import { changeFirewall } from '../../stages/firewall/apply.ts';
import { firewallDifferences } from '../../stages/firewall/differences.ts';
import { firewallFacts } from '../../stages/firewall/facts.ts';
import { capture } from '../../stages/route/capture/names.ts';
import { wantsCapture } from '../../stages/route/capture/state.ts';
import { switchCapture } from '../../stages/route/capture/switch.ts';
import { routeStage } from '../../stages/route/stage.ts';
import { undoRoute, withoutRoute } from '../../stages/route/undo-route.ts';
import { runtimeStage } from '../../stages/runtime/stage.ts';
import { stackStage } from '../../stages/stack/stage.ts';
import {
  commandGroup,
  consoleReporter,
  exampleText,
  type JsonFlag,
  serverContext,
  serverFacts,
} from '../command.ts';
import { readHidden } from '../read-hidden.ts';
import { noProxy, routeProxychainsCommand, routeRedirectCommand } from './redirect.ts';
import { describeRoute, shownRoute } from './show.ts';
import { routeTestCommand } from './test.ts';

const example = () =>
  exampleText(
    'sudo landfall route show',
    'sudo landfall route test',
    'sudo landfall route import proxies.yaml',
  );

/** `landfall route`: shows the route of this server, and turns it off and on. */
export function routeCommand() {
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
    .addHelpText(
      'after',
      `${example()}
${say(
  'In login shells, proxy_on and proxy_off turn the proxy of the site on and off.',
  '在登录 shell 中，proxy_on 和 proxy_off 启用和停用站点的代理。',
)}
`,
    );
}

async function showRoute({ json }: JsonFlag): Promise<void> {
  const shown = await shownRoute(await serverContext());
  console.log(json ? JSON.stringify(shown, null, 2) : describeRoute(shown));
}

async function on(): Promise<void> {
  const facts = await serverFacts();
  await takeChangeLock(facts.host, console.log);
  await applyStages([routeStage], facts);
  await applyRest(facts);
  console.log(inLanguage(isOn));
  await turnCaptureOn({ ...facts, report: consoleReporter });
}

async function off(): Promise<void> {
  const facts = await serverFacts();
  await takeChangeLock(facts.host, console.log);
  const changed = await undoRoute({ ...facts, report: consoleReporter });
  await applyRest({ ...facts, site: withoutRoute(facts.site) });
  for (const path of changed) {
    console.log(inLanguage(notRestored(path)));
  }
  console.log(inLanguage(isOff));
}

const isOn = {
  en: 'The route of the site is on. Log in again to use it in your shell.',
  zh: '站点的线路已启用。重新登录后，shell 会使用它。',
};
const isOff = {
  en: 'The route is off. In open shells, run: proxy_off\n`sudo landfall route on` or the next first boot applies the route of the site again.',
  zh: '线路已关闭。在已打开的 shell 中请运行：proxy_off\n`sudo landfall route on` 或下一次首次启动会重新应用站点的线路。',
};
const notRestored = (path: string) => ({
  en: `/${path} was changed after Landfall set a mirror in it, and was not restored.`,
  zh: `/${path} 在 Landfall 写入镜像源之后又有改动，没有恢复。`,
});
const captured = (minutes: number) => ({
  en: `All connections of this server and its containers now enter the proxy client.
Log in again in another window and run: sudo landfall confirm
Otherwise the change is undone in ${minutes} minutes.`,
  zh: `这台服务器和容器的所有连接现在都经过代理客户端。
请在另一个窗口重新登录，并运行：sudo landfall confirm
否则更改会在 ${minutes} 分钟后撤销。`,
});

async function pac(): Promise<void> {
  const route = effectiveRoute((await serverFacts()).site, 'host');
  if (route.mode === 'direct') throw noProxy();
  console.log(pacFile(route.url, route.no_proxy).trimEnd());
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

/**
 * Lets containers reach the proxy of the site in both firewalls, and no longer the one before. No port
 * of a login or of the gateway depends on it, so it needs no confirmation.
 */
async function matchFirewall({ host, site }: Pick<Context, 'host' | 'site'>): Promise<void> {
  const facts = await firewallFacts(host, site);
  const { problems } = await firewallDifferences(host, facts);
  if (problems.length > 0) await changeFirewall(host, { facts });
}

/**
 * Captures all connections if the site says so, and prints how to confirm it. A server that is not
 * installed yet captures nothing.
 * @throws LandfallError UNCONFIRMED, SERVER_UNFIT, ROUTE_BLOCKED
 */
async function turnCaptureOn(context: Context): Promise<void> {
  const { host, site } = context;
  if (!wantsCapture(site) || (await readText(host, installedMark)) === undefined) return;
  const { openings } = await firewallFacts(host, site);
  if (!(await switchCapture(context, { openings }))) return;
  console.log(inLanguage(captured(capture.confirmWithin / 60)));
}

const hidden = { en: ' (hidden): ', zh: '（不显示）：' };

/** Returns the context of the import of proxies on this server, with the route of its site. */
async function proxiesContext(): Promise<ProxiesContext> {
  const host = new Host('/', runCommand);
  const { stdout, stderr, stdin } = process;
  const site = await readSite(host);
  // A first boot goes on without a command.
  const isInstalled = (await installedRelease(host)) !== undefined;
  return {
    ...{ stdout, stderr, stdin, cwd: process.cwd() },
    file: host.path(importedProxiesFile),
    network: networkOptions(site),
    askSecret: stdin.isTTY ? (message) => readHidden(`${message}${inLanguage(hidden)}`) : undefined,
    next: site.route.mode === 'client' && isInstalled ? 'sudo landfall route on' : undefined,
    command: 'sudo landfall route',
  };
}
