import { z } from 'zod';
import { removeFile, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { readJsonFile } from '../../server/host/json-file.ts';

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

/** Reads our values; empty if the file is missing or invalid. */
export async function readOwnSettings(host: Host): Promise<OwnSettings> {
  return (await readJsonFile(host, ownSettingsFile, ownSettingsSchema)) ?? none;
}

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
  const before = await readOwnSettings(host);
  const after = { ...before, ...now };
  const names = Object.keys(none) as Array<keyof OwnSettings>;
  const both = names.map((name) => [name, [...new Set([...before[name], ...after[name]])]]);
  await store(host, ownSettingsSchema.parse(Object.fromEntries(both)));
  await write();
  await store(host, after);
}

const none: OwnSettings = ownSettingsSchema.parse({});

async function store(host: Host, settings: OwnSettings): Promise<void> {
  if (Object.values(settings).every((list) => list.length === 0)) {
    return await removeFile(host, ownSettingsFile);
  }
  await writeText(host, ownSettingsFile, `${JSON.stringify(settings)}\n`, { mode: 0o600 });
}
