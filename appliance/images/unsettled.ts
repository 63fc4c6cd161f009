import { readText, removeFile, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';

/** Lies there from before the first image comes until all of them are on the disk. */
const mark = 'var/lib/landfall/images-unsettled';

/**
 * Engines do not wait until a layer is on the disk: after a power cut they show an image whose
 * programs are full of zeros, and fetch none of its layers again. What was brought in before a cut
 * is believed only where this mark is gone.
 */
export async function areUnsettled(host: Host): Promise<boolean> {
  return (await readText(host, mark)) !== undefined;
}

/** Says, for good, that images are about to come. */
export async function beginUnsettled(host: Host): Promise<void> {
  await writeText(host, mark, 'Images are being brought in. Made by Landfall.\n');
}

/** Waits until all that was written is on the disk, and takes the mark away. */
export async function settle(host: Host): Promise<void> {
  await host.run('sync', [], { seconds: 3600 });
  await removeFile(host, mark);
}
