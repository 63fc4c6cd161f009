import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import { clientStateFile } from '#contract/server-paths.ts';
import { isFile, readText, removeFile, writeText } from '../../host/files.ts';
import type { Host } from '../../host/host.ts';
import { isActive, isEnabled } from '../../host/systemd.ts';
import type { Context } from '../../stage/stage.ts';
import { bringUp } from './bring-up.ts';
import { everyDestination, type ProbeClient } from './probe.ts';
import { clientRoles, configFile, renderClient } from './render-config.ts';
import { clientAddress, clientUnit, clientUnitFile, renderClientUnit } from './render-unit.ts';
import { readClientState } from './state.ts';
import { hasClient, unpackClient } from './unpack.ts';
import { importedProxies, waitForProxies } from './wait-for-proxies.ts';

const unit = clientUnit('active');

/** Returns what {@link applyClient} or {@link removeClient} would do, one line per action. */
export async function clientTodo(context: Context): Promise<string[]> {
  const { host, site } = context;
  if (site.route.mode !== 'client') {
    return (await isPresent(host)) ? ['remove the proxy client'] : [];
  }
  return [
    ...(hasClient(context) ? [] : ['unpack the proxy client of the release']),
    ...((await isRight(host)) ? [] : ['find a working proxy and start the proxy client']),
  ];
}

/**
 * Starts the proxy client of a site with `route.mode: client`.
 * @throws LandfallError ROUTE_BLOCKED if no proxy works, or none is imported on an installed server
 */
export async function applyClient(
  context: Context,
  probe: ProbeClient = everyDestination,
): Promise<void> {
  const { host, site } = context;
  if (site.route.mode !== 'client') return;
  if (!hasClient(context)) await unpackClient(context);
  if (await isRight(host)) return;
  await writeText(host, clientUnitFile, renderClientUnit());
  await host.run('systemctl', ['daemon-reload']);
  const proxies = await waitForProxies(context);
  const mayConnectDirectly = site.route.on_failure === 'direct';
  const { state, verdict } = await bringUp(context, proxies, {
    probe,
    tries: 16,
    mayConnectDirectly,
  });
  if (state === 'active') return;
  if (mayConnectDirectly) {
    const text = `no imported proxy works, so this server connects directly: ${verdict}`;
    return context.report.warn({ kind: 'route', subject: 'client', text });
  }
  throw new LandfallError('ROUTE_BLOCKED', `no imported proxy works: ${verdict}`, {
    hint: 'Import other proxies with `sudo landfall route import <file>`, then run `sudo landfall route on`.',
  });
}

/** Stops the proxy client and removes its settings. The imported proxies stay. */
export async function removeClient(host: Host): Promise<void> {
  if (!(await isPresent(host))) return;
  if ((await readText(host, clientUnitFile)) !== undefined) {
    await host.run('systemctl', ['disable', '--now', '--quiet', unit]);
    await host.succeeds('ip', ['address', 'delete', ...clientAddress]);
  }
  await removeFile(host, clientUnitFile);
  await removeFile(host, clientStateFile);
  for (const role of clientRoles) {
    await rm(dirname(host.path(configFile(role))), { recursive: true, force: true });
  }
  await host.run('systemctl', ['daemon-reload']);
}

/** Verifies that the proxy client runs. @throws LandfallError ROUTE_BLOCKED */
export async function proveClient({ host, site }: Context): Promise<void> {
  if (site.route.mode !== 'client' || (await isActive(host, unit))) return;
  throw new LandfallError('ROUTE_BLOCKED', 'the proxy client is not running', {
    hint: `Check: sudo journalctl -u ${unit}. Another program may use port 7890.`,
  });
}

/** Returns whether the client runs with the imported settings of the proxy in use. */
async function isRight(host: Host): Promise<boolean> {
  const state = await readClientState(host);
  const isInUse = state?.state === 'active' || state?.state === 'provisional';
  if (!isInUse || !(await isFile(host, clientUnitFile, renderClientUnit()))) {
    return false;
  }
  const proxy = (await importedProxies(host))?.find(({ name }) => name === state.node);
  if (proxy === undefined) return false;
  const text = renderClient(proxy, 'active');
  if (!(await isFile(host, configFile('active'), text, { mode: 0o600 }))) return false;
  return (await isActive(host, unit)) && (await isEnabled(host, unit));
}

async function isPresent(host: Host): Promise<boolean> {
  const paths = [clientUnitFile, clientStateFile];
  const texts = await Promise.all(paths.map((path) => readText(host, path)));
  return texts.some((text) => text !== undefined);
}
