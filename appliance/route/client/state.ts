import { z } from 'zod';
import { clientStateFile } from '#contract/server-paths.ts';
import { writeText } from '../../host/files.ts';
import type { Host } from '../../host/host.ts';
import { readJsonFile } from '../../host/json-file.ts';

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

/** Returns the stored state; undefined if it is missing or damaged. */
export async function readClientState(host: Host): Promise<ClientState | undefined> {
  return await readJsonFile(host, clientStateFile, stateSchema);
}

/** Stores a state and returns it. A state that did not change keeps its time. */
export async function enterState(
  host: Host,
  state: ClientState['state'],
  node: string | null,
  verdict: string | null = null,
  now = new Date(),
): Promise<ClientState> {
  const before = await readClientState(host);
  const isSame = before?.state === state && before.node === node;
  const since = isSame ? before.since : now.toISOString();
  const next: ClientState = { schema: 1, state, since, node, verdict };
  await writeText(host, clientStateFile, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 });
  return next;
}
