import type { Release } from '#contract/bundle/release.ts';
import type { ChatFacts } from '../chats/chat-facts.ts';

/** What a backup is, for those who restore it. It contains no text of chats. */
interface BackupManifest {
  readonly schema: 1;
  readonly created: string;
  /** The release that made it. */
  readonly release: Pick<Release, 'product' | 'version' | 'arch'>;
  /** Releases with the same number read the data of each other. */
  readonly dataEpoch: number;
  /** Version of the chat UI's database, and counts; null if unknown. */
  readonly revision: string | null;
  readonly users: number | null;
  readonly chats: number | null;
  /** Models by name and digest: they are not in the backup, but fetched again. */
  readonly models: ReadonlyArray<Pick<Release['models'][number], 'name' | 'manifest'>>;
  readonly leftOut: ReadonlyArray<{ readonly what: string; readonly why: string }>;
}

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
