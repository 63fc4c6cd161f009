import { z } from 'zod';
import { readText, removeFile, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';

export const ownSettingsFile = 'var/lib/landfall/runtime-settings.json';

const values = z.array(z.string().max(1024)).max(100).default([]);
const ownSettingsSchema = z.strictObject({
  'registry-mirrors': values,
  'insecure-registries': values,
  /** Digests of what the command `docker` was told: there may be a password in it. */
  clientProxies: values,
});

/**
 * What is ours of settings that the owner may have as well, so that exactly that can be taken away
 * again when the site changes.
 */
export type OwnSettings = Readonly<z.infer<typeof ownSettingsSchema>>;

/** Nothing is ours where nothing is written down, or what is cannot be read. */
export async function readOwnSettings(host: Host): Promise<OwnSettings> {
  try {
    return ownSettingsSchema.parse(JSON.parse((await readText(host, ownSettingsFile)) ?? ''));
  } catch {
    return none;
  }
}

/**
 * Changes settings, and what is ours of them. Killed in between, it knows both what was ours before
 * and what is to be.
 * @param now the lists that change
 * @param write puts the settings in place
 */
export async function changeOwnSettings(
  host: Host,
  now: Partial<OwnSettings>,
  write: () => Promise<void>,
): Promise<void> {
  const before = await readOwnSettings(host);
  const after = { ...before, ...now };
  await store(host, {
    'registry-mirrors': union(before['registry-mirrors'], after['registry-mirrors']),
    'insecure-registries': union(before['insecure-registries'], after['insecure-registries']),
    clientProxies: union(before.clientProxies, after.clientProxies),
  });
  await write();
  await store(host, after);
}

const none: OwnSettings = ownSettingsSchema.parse({});

function union(one: readonly string[], other: readonly string[]): string[] {
  return [...new Set([...one, ...other])];
}

async function store(host: Host, settings: OwnSettings): Promise<void> {
  if (Object.values(settings).every((list) => list.length === 0)) {
    return await removeFile(host, ownSettingsFile);
  }
  await writeText(host, ownSettingsFile, `${JSON.stringify(settings)}\n`, { mode: 0o600 });
}
