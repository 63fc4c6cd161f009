import { z } from 'zod';
import type { Host } from '../../server/host/host.ts';
import { StateFile } from '../../server/host/state-file.ts';

export const ownSettingsFile = 'var/lib/landfall/runtime-settings.json';

const values = z.array(z.string().max(1024)).max(100).default([]);
const ownSettingsSchema = z.strictObject({
  'registry-mirrors': values,
  'insecure-registries': values,
  dns: values,
  /** Digests of proxy settings of the command `docker`; the settings may contain a password. */
  clientProxies: values,
});

/**
 * The values that we added to settings that the administrator may also edit, so that exactly these can
 * be removed when the site changes.
 */
export type OwnSettings = Readonly<z.infer<typeof ownSettingsSchema>>;

const none: OwnSettings = ownSettingsSchema.parse({});

export const storedSettings = new StateFile(ownSettingsFile, ownSettingsSchema, {
  initial: none,
  mode: 0o600,
  isLine: true,
});

/**
 * Changes settings together with the record of our values. During the change, the record contains the
 * old and the new values, so an interruption loses none.
 * @param now the lists that change
 * @param write writes the settings
 */
export async function changeOwnSettings(
  host: Host,
  now: Partial<OwnSettings>,
  write: () => Promise<void>,
): Promise<void> {
  const before = await storedSettings.read(host);
  const after = { ...before, ...now };
  const names = Object.keys(none) as Array<keyof OwnSettings>;
  const both = names.map((name) => [name, [...new Set([...before[name], ...after[name]])]]);
  await store(host, ownSettingsSchema.parse(Object.fromEntries(both)));
  await write();
  await store(host, after);
}

async function store(host: Host, settings: OwnSettings): Promise<void> {
  if (Object.values(settings).every((list) => list.length === 0)) {
    return await storedSettings.remove(host);
  }
  await storedSettings.write(host, settings);
}
