import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { clientStateFile, importedProxiesFile } from '#contract/server-paths.ts';
import type { ProxyEntry } from '#proxies/protocols/registry.ts';
import { readStoredProxies } from '#proxies/store.ts';
import type { Host } from '../../../server/host/host.ts';
import { StateFile } from '../../../server/host/state-file.ts';
import { installedRelease } from '../../../server/stage/installed.ts';
import type { Context } from '../../../server/stage/stage.ts';

const stateSchema = z.strictObject({
  schema: z.literal(1),
  /**
   * Without imported proxies the client waits. A failed client keeps its last configuration. A
   * provisional one captures connections and is not confirmed yet.
   */
  state: z.enum(['waiting', 'candidate', 'probing', 'provisional', 'active', 'failed']),
  since: z.iso.datetime(),
  /** The name of the proxy in use or last tried; null while waiting. */
  node: z.string().nullable(),
  /** Why each proxy failed; null if none did. Contains no secrets. */
  verdict: z.string().max(2000).nullable(),
});

/** The state of the proxy client. */
export type ClientState = z.infer<typeof stateSchema>;

export const storedClient = new StateFile(clientStateFile, stateSchema, { mode: 0o600 });

/** Stores a state and returns it. A state that did not change keeps its time. */
export async function enterState(
  host: Host,
  state: ClientState['state'],
  node: string | null,
  verdict: string | null = null,
  now = new Date(),
): Promise<ClientState> {
  const before = await storedClient.read(host);
  const isSame = before?.state === state && before.node === node;
  const since = isSame ? before.since : now.toISOString();
  const next: ClientState = { schema: 1, state, since, node, verdict };
  await storedClient.write(host, next);
  return next;
}

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
      hint: {
        en: 'Run `sudo landfall route import <file>`, then `sudo landfall route on`.',
        zh: '先运行 `sudo landfall route import <文件>`，再运行 `sudo landfall route on`。',
      },
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
