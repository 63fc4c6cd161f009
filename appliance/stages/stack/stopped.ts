import { z } from 'zod';
import { stoppedFile } from '#contract/server-paths.ts';
import type { Host } from '../../server/host/host.ts';
import { StateFile } from '../../server/host/state-file.ts';

const schema = z.object({
  schema: z.literal(1),
  /** When each component was stopped, by its name in `compose.yaml`. */
  stopped: z.record(z.string(), z.iso.datetime()),
});
const storedNames = new StateFile(stoppedFile, schema, { initial: { schema: 1, stopped: {} } });

/** Returns when an administrator stopped components, by name. Does not need root. */
export async function readStopped(host: Host): Promise<ReadonlyMap<string, string>> {
  return new Map(Object.entries((await storedNames.read(host)).stopped));
}

/** Records that an administrator stops a component, so that it is no fault. */
export async function rememberStopped(host: Host, name: string, now = new Date()): Promise<void> {
  await write(host, new Map(await readStopped(host)).set(name, now.toISOString()));
}

/**
 * Records that components are started again.
 * @param names default: all
 */
export async function forgetStopped(host: Host, names?: readonly string[]): Promise<void> {
  const before = await readStopped(host);
  const after = new Map([...before].filter(([name]) => names && !names.includes(name)));
  if (after.size < before.size) await write(host, after);
}

async function write(host: Host, stopped: ReadonlyMap<string, string>): Promise<void> {
  if (stopped.size === 0) return await storedNames.remove(host);
  await storedNames.write(host, { schema: 1, stopped: Object.fromEntries(stopped) });
}
