import { z } from 'zod';
import { readJson } from '#contract/text/json.ts';
import { readText, removeFile, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';

/** Exists from the start of an import until all images are flushed to disk. */
const markFile = 'var/lib/landfall/images-unsettled';

const markSchema = z.strictObject({
  /** The boot ID of the import. */
  boot: z.string().min(1).max(100),
  /** Local names of images that may not be on disk yet. */
  images: z.array(z.string().max(512)).max(1000),
});

/** The mark of an earlier import. */
export interface Mark {
  readonly boot: string;
  /** Local names; undefined if the mark is damaged, so that all images are suspect. */
  readonly images?: readonly string[];
}

/** Reads the mark of an earlier run; undefined if all of its images are on disk. */
export async function readMark(host: Host): Promise<Mark | undefined> {
  const text = await readText(host, markFile);
  if (text === undefined) return undefined;
  return readJson(markSchema, text) ?? { boot: 'unknown' };
}

/**
 * The images of an import that are not flushed to disk. Docker does not flush layers: after a power
 * cut it can list an image whose files contain zeros, and does not pull its layers again. An image is
 * only trusted after a power cut if the mark does not name it.
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

  /** Writes the mark before an import. */
  static async begin(host: Host, mark: Mark): Promise<PendingImages> {
    const unsettled = new PendingImages(host, mark);
    await unsettled.#write();
    return unsettled;
  }

  /** Flushes the disk and removes these names from the mark. */
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
