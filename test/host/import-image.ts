import { createReadStream } from 'node:fs';
import { basename, join } from 'node:path';
import { finished } from 'node:stream/promises';
import type Docker from 'dockerode';
import { rootfs } from '../setup/host-image.ts';

/**
 * Gives the name of the engine's image of a prepared folder; imports it the first time, which
 * takes some seconds.
 */
export async function importImage(engine: Docker, folder: string): Promise<string> {
  const [repo, tag] = ['landfall-test-host', basename(folder)];
  const image = `${repo}:${tag}`;
  const known = await engine
    .getImage(image)
    .inspect()
    .catch(() => undefined);
  if (known) return image;
  const source = createReadStream(join(folder, rootfs));
  const progress = await engine.importImage(source, { repo, tag });
  progress.resume();
  await finished(progress);
  await engine.getImage(image).inspect();
  return image;
}
