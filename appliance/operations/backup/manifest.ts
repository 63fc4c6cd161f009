import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { releaseName } from '#contract/bundle/release-name.ts';
import { versionSchema } from '#contract/bundle/version.ts';
import { bootSettingsFile } from '#contract/server-paths.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import type { ChatFacts } from '../../server/chats/chat-facts.ts';
import { readJsonFile } from '../../server/host/state-file.ts';
import type { Context } from '../../server/stage/stage.ts';

/** Later releases may add fields. */
export const manifestSchema = z.object({
  schema: z.literal(1),
  created: z.iso.datetime(),
  /** The release that made it. */
  release: z.object({
    product: z.string(),
    version: versionSchema,
    arch: z.string(),
    /** SHA-256 of its release.json, 64 hex digits. */
    manifest: z.string().nullable().default(null),
    /** Where its bundle came from; null for one that was sent over SSH. */
    url: z.string().nullable().default(null),
  }),
  /** Releases with the same number read the data of each other. */
  dataEpoch: z.int(),
  /** Version of the chat UI's database, and counts; null if unknown. */
  revision: z.string().nullable(),
  users: z.int().nullable(),
  chats: z.int().nullable(),
  /** Models by name and digest: they are not in the backup, but fetched again. */
  models: z.array(z.object({ name: z.string(), manifest: z.string().nullable() })),
  leftOut: z.array(z.object({ what: z.string(), why: z.string() })),
});

/** What a backup is, for those who restore it. It contains no text of chats. */
export type BackupManifest = z.infer<typeof manifestSchema>;

/** Returns the manifest of a backup. @param facts undefined without a chat UI */
export async function backupManifest(
  { host, release, releaseFolder }: Pick<Context, 'host' | 'release' | 'releaseFolder'>,
  facts: ChatFacts | undefined,
  now = new Date(),
): Promise<BackupManifest> {
  const { product, version, arch, dataEpoch, models } = release;
  const manifest = sha256Hex(await readFile(join(releaseFolder, 'release.json')));
  return {
    schema: 1,
    created: now.toISOString(),
    release: { product, version, arch, manifest, url: await bundleUrl(host, release) },
    dataEpoch,
    revision: facts?.revision ?? null,
    users: facts?.users ?? null,
    chats: facts?.chats ?? null,
    models: models.map(({ name, manifest: digest }) => ({ name, manifest: digest })),
    leftOut: [
      { what: 'images and releases', why: 'they come from the bundle' },
      { what: 'models', why: 'they come from the bundle, or are pulled again' },
      { what: 'logs', why: 'they belong to the old server' },
      { what: 'use of relay keys', why: 'it is counted in memory' },
    ],
  };
}

/** Counts of a backup's databases; null: unknown. */
type Counts = Pick<BackupManifest, 'revision' | 'users' | 'chats'>;

/** Returns what the manifest of a backup says otherwise than its data, in words; undefined if they agree. */
export function differenceOf(manifest: Counts, facts: Counts): string | undefined {
  for (const name of ['revision', 'users', 'chats'] as const) {
    const [listed, found] = [manifest[name], facts[name]];
    if (listed === null || listed === found) continue;
    return `its manifest says ${name} ${listed}, but the data has ${found ?? 'none'}`;
  }
  return undefined;
}

const bootSchema = z.object({ sources: z.array(z.object({ url: z.url() })) });

/** Returns the URL of the bundle of this server. `landfall install` sends it through loopback. */
async function bundleUrl(
  host: Context['host'],
  { product, version, arch }: Context['release'],
): Promise<string | null> {
  const boot = await readJsonFile(host, bootSettingsFile, bootSchema);
  const found = boot?.sources.find(({ url }) => !url.startsWith('http://127.0.0.1:'));
  return found ? `${found.url}${releaseName(product, version, arch)}.tar` : null;
}
