import { z } from 'zod';
import { readText } from '../host/files.ts';
import { dockerImageStore, type ImageStore } from '../host/image-store.ts';
import type { Context } from '../stage/stage.ts';

/** The image folder of each store, relative to the root folder. */
export const imageFolder: Readonly<Record<ImageStore, string>> = {
  classic: 'var/lib/docker',
  containerd: 'var/lib/containerd',
};

type Facts = Pick<Context, 'host'>;

/**
 * Returns the store that Docker will use: the one set in daemon.json, else that of the installed
 * Docker, else the classic one, which a new Docker gets (`runtime/daemon-settings.ts`).
 */
export async function imageStoreFor(facts: Facts): Promise<ImageStore> {
  return (await chosenStore(facts)) ?? (await dockerImageStore(facts.host)) ?? 'classic';
}

const settingsSchema = z.object({
  features: z.object({ 'containerd-snapshotter': z.boolean() }),
});

/** Reads the administrator's choice; a later stage reports a file that is not JSON. */
async function chosenStore({ host }: Facts): Promise<ImageStore | undefined> {
  try {
    const text = (await readText(host, 'etc/docker/daemon.json')) ?? '';
    const { features } = settingsSchema.parse(JSON.parse(text));
    return features['containerd-snapshotter'] ? 'containerd' : 'classic';
  } catch {
    return undefined;
  }
}
