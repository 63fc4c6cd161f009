import { z } from 'zod';
import type { Release } from '#contract/bundle/release.ts';
import type { ChatFacts } from '../chats/chat-facts.ts';

/** What a backup is: a restore decides by it. It contains no text of chats. */
const manifestSchema = z.object({
  schema: z.literal(1),
  created: z.iso.datetime(),
  /** The release that made it. */
  release: z.object({ product: z.string(), version: z.string(), arch: z.string() }),
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
type BackupManifest = z.infer<typeof manifestSchema>;

/** Returns the manifest of a backup. @param facts undefined without a chat UI */
export function backupManifest(
  { product, version, arch, dataEpoch, models }: Release,
  facts: ChatFacts | undefined,
  now = new Date(),
): BackupManifest {
  return {
    schema: 1,
    created: now.toISOString(),
    release: { product, version, arch },
    dataEpoch,
    revision: facts?.revision ?? null,
    users: facts?.users ?? null,
    chats: facts?.chats ?? null,
    models: models.map(({ name, manifest }) => ({ name, manifest })),
    leftOut: [
      { what: 'images and releases', why: 'they come from the bundle' },
      { what: 'models', why: 'they come from the bundle, or are pulled again' },
      { what: 'logs', why: 'they belong to the old server' },
    ],
  };
}
