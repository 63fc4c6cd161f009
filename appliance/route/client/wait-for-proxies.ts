import { setTimeout as sleep } from 'node:timers/promises';
import { LandfallError } from '#contract/errors.ts';
import { importedProxiesFile } from '#contract/server-paths.ts';
import type { ProxyEntry } from '#proxies/protocols/registry.ts';
import { readStoredProxies } from '#proxies/store.ts';
import type { Host } from '../../host/host.ts';
import { installedRelease } from '../../stage/installed.ts';
import type { Context } from '../../stage/stage.ts';
import { enterState } from './state.ts';

/** Waits between two looks for imported proxies. */
const second = () => sleep(1000);

/** Returns the imported proxies; undefined if none were imported. */
export async function importedProxies(host: Host): Promise<readonly ProxyEntry[] | undefined> {
  return (await readStoredProxies(host.path(importedProxiesFile)))?.settings.proxies;
}

/**
 * Returns the imported proxies. A first boot waits for them, and goes on when they are imported.
 * @throws LandfallError ROUTE_BLOCKED on an installed server, on which no first boot waits
 */
export async function waitForProxies(
  { host, report }: Pick<Context, 'host' | 'report'>,
  pause: () => Promise<void> = second,
): Promise<readonly ProxyEntry[]> {
  const present = await importedProxies(host);
  if (present) return present;
  await enterState(host, 'waiting', null);
  if (await installedRelease(host)) {
    throw new LandfallError('ROUTE_BLOCKED', 'no proxies are imported on this server', {
      hint: 'Run `sudo landfall route import <file>`, then `sudo landfall route on`.',
      retriable: false,
    });
  }
  report.waitFor(
    'proxies',
    'waiting for proxies; import them on this server: sudo landfall route import <file>',
  );
  return await host.outside.measure(async () => {
    for (;;) {
      const imported = await importedProxies(host);
      if (imported) return imported;
      await pause();
    }
  });
}
