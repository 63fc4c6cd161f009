import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { clientBinary, importedProxiesFile } from '#contract/server-paths.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import type { ProxyEntry } from '#proxies/model/proxy.ts';
import { readStoredProxies } from '#proxies/store/stored.ts';
import { writeText } from '../../host/files.ts';
import type { Context } from '../../stage/stage.ts';
import { activate } from './activate.ts';
import { type ProbeClient, probeClient } from './probe.ts';
import { candidateEndpoint, configFile, renderClient, renderDirect } from './render-config.ts';
import { clientUnit } from './render-unit.ts';
import { type ClientState, enterState, readClientState } from './state.ts';

/** Proxies that one run tries. A subscription may have thousands, and each may time out. */
const mostTries = 16;

/**
 * Finds an imported proxy that works, and makes it the active one: the proxy in use first, then the
 * next ones. Each is tested beside the active client, so a failure changes nothing. If all fail, the
 * active configuration stays, and with `on_failure: direct` it connects directly.
 */
export async function bringUp(
  context: Context,
  probe: ProbeClient = probeClient,
): Promise<ClientState> {
  const { host, site } = context;
  const stored = await readStoredProxies(host.path(importedProxiesFile));
  if (stored === undefined) return await enterState(host, 'waiting', null);
  const failures: string[] = [];
  let last = '';
  for (const proxy of candidates(stored.settings.proxies, await readClientState(host))) {
    last = proxy.name;
    const failure = await tryProxy(context, proxy, probe);
    if (failure === undefined && (await activate(host, renderClient(proxy, 'active')))) {
      return await enterState(host, 'active', proxy.name);
    }
    failures.push(`${proxy.name}: ${failure ?? 'the proxy client does not start'}`);
  }
  if (site.route.mode === 'client' && site.route.on_failure === 'direct') {
    await activate(host, renderDirect());
  }
  return await enterState(host, 'failed', last, plainLine(failures.join('; '), 2000));
}

/** Returns the proxies to try in order. After a run without success, the next run continues. */
function candidates(
  proxies: readonly ProxyEntry[],
  before: ClientState | undefined,
): readonly ProxyEntry[] {
  const known = proxies.findIndex(({ name }) => name === before?.node);
  const first = known < 0 ? 0 : before?.state === 'failed' ? known + 1 : known;
  return [...proxies.slice(first), ...proxies.slice(0, first)].slice(0, mostTries);
}

async function tryProxy(
  context: Context,
  proxy: ProxyEntry,
  probe: ProbeClient,
): Promise<string | undefined> {
  const { host, releaseFolder, report } = context;
  const file = configFile('candidate');
  report.say(`testing the proxy ${proxy.name}`);
  await enterState(host, 'candidate', proxy.name);
  await writeText(host, file, renderClient(proxy, 'candidate'), { mode: 0o600 });
  try {
    await host.run(join(releaseFolder, clientBinary), ['check', '-c', host.path(file)]);
    await host.run('systemctl', ['restart', clientUnit('candidate')]);
    await enterState(host, 'probing', proxy.name);
    return await probe(context, candidateEndpoint);
  } catch (error) {
    if (!(error instanceof LandfallError) || error.code !== 'COMMAND_FAILED') throw error;
    return 'the proxy client rejects its settings';
  } finally {
    await host.run('systemctl', ['stop', clientUnit('candidate')]);
    await rm(dirname(host.path(file)), { recursive: true, force: true });
  }
}
