import { z } from 'zod';
import { readText, removeFile, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';

/** Lies there from before the first image comes until all of them are on the disk. */
const markFile = 'var/lib/landfall/images-unsettled';

const markSchema = z.strictObject({
  /** The start of the machine since which the images have been coming. */
  boot: z.string().min(1).max(100),
  /** Local names of images that are not known to be on the disk. */
  images: z.array(z.string().max(512)).max(1000),
});

/** A mark as it was found. */
export interface Mark {
  readonly boot: string;
  /** Local names; absent where the mark is damaged, so that it may mean any image. */
  readonly images?: readonly string[];
}

/** What an earlier run left; nothing where all that it brought in is on the disk. */
export async function readMark(host: Host): Promise<Mark | undefined> {
  const text = await readText(host, markFile);
  if (text === undefined) return undefined;
  try {
    return markSchema.parse(JSON.parse(text));
  } catch {
    return { boot: 'unknown' };
  }
}

/**
 * The images that are coming. Engines do not wait until a layer is on the disk: after a power cut
 * they show an image whose programs are full of zeros, and fetch none of its layers again. What was
 * brought in before a cut is believed only where the mark does not name it.
 */
export class PendingImages {
  readonly #host: Host;
  readonly #boot: string;
  #names: readonly string[];

  private constructor(host: Host, { boot, images = [] }: Mark) {
    this.#host = host;
    this.#boot = boot;
    this.#names = images;
  }

  /** Says, for good, that images are about to come. */
  static async begin(host: Host, mark: Mark): Promise<PendingImages> {
    const unsettled = new PendingImages(host, mark);
    await unsettled.#write();
    return unsettled;
  }

  /** Waits until what was written is on the disk, and takes these names off the mark. */
  async settle(names: readonly string[] = this.#names): Promise<void> {
    if (this.#names.length === 0) return;
    await this.#host.run('sync', [], { seconds: 3600 });
    this.#names = this.#names.filter((name) => !names.includes(name));
    await this.#write();
  }

  async #write(): Promise<void> {
    if (this.#names.length === 0) return await removeFile(this.#host, markFile);
    const mark = { boot: this.#boot, images: this.#names };
    await writeText(this.#host, markFile, `${JSON.stringify(mark)}\n`);
  }
}
