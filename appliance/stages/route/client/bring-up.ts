import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { clientBinary } from '#contract/server-paths.ts';
import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import type { ProxyEntry } from '#proxies/protocols/registry.ts';
import { readText, writeText } from '../../../server/host/files.ts';
import type { Host } from '../../../server/host/host.ts';
import { ensureEnabled, isActive } from '../../../server/host/service.ts';
import type { Context } from '../../../server/stage/stage.ts';
import { pauseCapture, resumeCapture } from '../capture/state.ts';
import { anyDestination, type ProbeClient } from './probe.ts';
import { candidateEndpoint, clientUnit, configFile, renderClient, renderDirect } from './render.ts';
import { type ClientState, enterState, importedProxies, storedClient } from './state.ts';

const noStart = 'the proxy client does not start';

interface Search {
  /** How a candidate is tested. */
  readonly probe: ProbeClient;
  /** Proxies that are tried. A subscription may have thousands, and each may time out. */
  readonly tries: number;
  /** Whether the server connects directly if no proxy works. */
  readonly mayConnectDirectly: boolean;
}

/**
 * Finds an imported proxy that works, and makes it the active one: the proxy in use first, then the
 * next ones. Each is tested beside the active client, so a failure changes nothing. If all fail, the
 * active configuration stays, unless the server may connect directly.
 */
export async function bringUp(
  context: Context,
  proxies: readonly ProxyEntry[],
  { probe, tries, mayConnectDirectly }: Search,
): Promise<ClientState> {
  const { host } = context;
  const failures: string[] = [];
  let last = '';
  for (const proxy of candidates(proxies, await storedClient.read(host), tries)) {
    last = proxy.name;
    const failure = await tryProxy(context, proxy, probe);
    if (failure === undefined) await resumeCapture(host);
    if (failure === undefined && (await activate(host, renderClient(proxy, 'active')))) {
      return await enterState(host, 'active', proxy.name);
    }
    failures.push(`${proxy.name}: ${failure ?? noStart}`);
  }
  if (mayConnectDirectly) {
    await pauseCapture(host);
    await activate(host, renderDirect());
  }
  return await enterState(host, 'failed', last, plainLine(failures.join('; '), 2000));
}

/** Returns the error of a {@link bringUp} that failed. */
export function noProxyWorks({ verdict }: ClientState): LandfallError {
  return new LandfallError('ROUTE_BLOCKED', `no imported proxy works: ${verdict}`, {
    hint: {
      en: 'Import other proxies with `sudo landfall route import <file>`, then run `sudo landfall route on`.',
      zh: '用 `sudo landfall route import <文件>` 导入其他代理节点，再运行 `sudo landfall route on`。',
    },
  });
}

/** Returns the proxies to try in order. After a run without success, the next run continues. */
function candidates(
  proxies: readonly ProxyEntry[],
  before: ClientState | undefined,
  tries: number,
): readonly ProxyEntry[] {
  const known = proxies.findIndex(({ name }) => name === before?.node);
  const first = known < 0 ? 0 : before?.state === 'failed' ? known + 1 : known;
  return [...proxies.slice(first), ...proxies.slice(0, first)].slice(0, tries);
}

async function tryProxy(
  context: Context,
  proxy: ProxyEntry,
  probe: ProbeClient,
): Promise<string | undefined> {
  const { host, releaseFolder, report } = context;
  const file = configFile('candidate');
  report.say(inLanguage({ en: `testing the proxy ${proxy.name}`, zh: `测试代理 ${proxy.name}` }));
  await enterState(host, 'candidate', proxy.name);
  await writeText(host, file, renderClient(proxy, 'candidate'), { mode: 0o600 });
  const program = join(releaseFolder, clientBinary);
  try {
    if (!(await host.succeeds(program, ['check', '-c', host.path(file)]))) {
      return 'the proxy client rejects its settings';
    }
    if (!(await host.succeeds('systemctl', ['restart', clientUnit('candidate')]))) return noStart;
    await enterState(host, 'probing', proxy.name);
    return await probe(context, candidateEndpoint);
  } finally {
    await host.run('systemctl', ['stop', clientUnit('candidate')]);
    await rm(dirname(host.path(file)), { recursive: true, force: true });
  }
}

const unit = clientUnit('active');

/**
 * Makes a configuration the active one and restarts the client. If the client does not start, the
 * previous configuration becomes active again.
 * @returns whether the client runs with the new configuration
 */
async function activate(host: Host, config: string): Promise<boolean> {
  const [active, previous] = [configFile('active'), configFile('previous')];
  const before = await readText(host, active);
  if (before === config && (await isActive(host, unit))) return true;
  if (before !== undefined && before !== config) {
    await writeText(host, previous, before, { mode: 0o600 });
  }
  await writeText(host, active, config, { mode: 0o600 });
  await ensureEnabled(host, unit);
  await host.succeeds('systemctl', ['restart', unit]);
  if (await isActive(host, unit)) return true;
  if (before === undefined || before === config) return false;
  await writeText(host, active, before, { mode: 0o600 });
  await host.succeeds('systemctl', ['restart', unit]);
  return false;
}

/** A check ends within ten minutes, and a proxy that does not respond takes most of one. */
const tries = 8;

/**
 * Changes to another imported proxy if the active one reaches nothing, or back to a proxy from direct
 * connections.
 * @param failures checks in a row in which nothing was reached, with this one
 * @param max failures after which the proxies count as failed, and `on_failure` applies
 * @returns whether the client changed
 */
export async function failOver(
  context: Context,
  { failures, max }: { readonly failures: number; readonly max: number },
  probe: ProbeClient = anyDestination,
): Promise<boolean> {
  const { host, site } = context;
  if (site.route.mode !== 'client') return false;
  const before = await storedClient.read(host);
  const proxies = await importedProxies(host);
  if (before === undefined || proxies === undefined) return false;
  // Its undo restores the configuration of now.
  if (before.state === 'provisional') return false;
  if (failures === 0 && before.state === 'active') return false;
  const hasFailed = failures >= max || before.state === 'failed';
  const mayConnectDirectly = hasFailed && site.route.on_failure === 'direct';
  const after = await bringUp(context, proxies, { probe, tries, mayConnectDirectly });
  if (after.state === 'failed' && !hasFailed) await enterState(host, 'active', before.node);
  return after.state === 'active';
}
