import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tagged } from '../changed-image.ts';
import type { Rival } from './rival.ts';

/** hauler: fetches the same images into its store, and saves the store as a compressed archive. */
export class Hauler implements Rival {
  readonly name = 'hauler store sync, save';
  readonly #folder: string;
  readonly #registry: string;

  constructor(folder: string, registry: string) {
    this.#folder = join(folder, 'hauler');
    this.#registry = registry;
  }

  async reset(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
    await mkdir(this.#folder);
  }

  async command(images: readonly Tagged[]): Promise<readonly string[]> {
    const references = images.map(
      ({ repository, tag }) => `${this.#registry}/${repository}:${tag}\n`,
    );
    await writeFile(join(this.#folder, 'images.txt'), references.join(''));
    const common = '--haulerdir home --store store';
    return [
      'sh',
      '-ec',
      `cd ${this.#folder}
hauler store sync ${common} --image-txt images.txt --platform linux/amd64
hauler store save ${common} --platform linux/amd64 --filename haul.tar.zst`,
    ];
  }
}
