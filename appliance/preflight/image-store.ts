import { z } from 'zod';
import { readText } from '../host/files.ts';
import { engineImageStore, type ImageStore } from '../host/image-store.ts';
import type { Context } from '../stage/stage.ts';

/** Where each store has its images, from the root folder. */
export const imageFolder: Readonly<Record<ImageStore, string>> = {
  classic: 'var/lib/docker',
  containerd: 'var/lib/containerd',
};

type Facts = Pick<Context, 'host' | 'server' | 'site'>;

/**
 * The store that images will come to: the one that daemon.json asks for, the one that an engine has
 * which is there already, or the one of the engine to be installed.
 */
export async function imageStoreFor(facts: Facts): Promise<ImageStore> {
  return (
    (await chosenStore(facts)) ?? (await engineImageStore(facts.host)) ?? storeOfNewEngine(facts)
  );
}

/**
 * Engines from 29 on begin with containerd's, those of Docker and of Ubuntu's updates; Debian 12 and
 * 13 have 20.10 and 26.
 */
function storeOfNewEngine({ server: { distribution }, site }: Facts): ImageStore {
  return site.engine.source === 'distribution' && distribution.id === 'debian'
    ? 'classic'
    : 'containerd';
}

const settingsSchema = z.object({
  features: z.object({ 'containerd-snapshotter': z.boolean() }),
});

/** What the owner wrote; a file that is no JSON is the affair of a later stage. */
async function chosenStore({ host }: Facts): Promise<ImageStore | undefined> {
  try {
    const text = (await readText(host, 'etc/docker/daemon.json')) ?? '';
    const { features } = settingsSchema.parse(JSON.parse(text));
    return features['containerd-snapshotter'] ? 'containerd' : 'classic';
  } catch {
    return undefined;
  }
}
