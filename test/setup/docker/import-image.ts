import { createReadStream } from 'node:fs';
import { basename, dirname } from 'node:path';
import { finished } from 'node:stream/promises';
import Docker from 'dockerode';

/**
 * Imports the archive of a root file system into Docker.
 * @param socket path of Docker's socket
 * @param archive a file in a folder that is named after its content
 * @param changes its configuration, as lines of a Dockerfile
 * @returns the name of the image
 */
export async function importImage(
  socket: string,
  archive: string,
  changes: readonly string[] = [],
): Promise<string> {
  const engine = new Docker({ socketPath: socket });
  const [repo, tag] = ['landfall-test-host', basename(dirname(archive))];
  const progress = await engine.importImage(createReadStream(archive), {
    ...{ repo, tag },
    // Docker rejects an empty list.
    ...(changes.length > 0 && { changes: changes.join('\n') }),
  });
  progress.resume();
  await finished(progress);
  const image = `${repo}:${tag}`;
  await engine.getImage(image).inspect();
  return image;
}
