import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tagged } from '../changed-image.ts';
import type { Rival } from './rival.ts';

/** skopeo: copies the same images one after the other into one OCI layout. */
export class Skopeo implements Rival {
  readonly name = 'skopeo copy';
  readonly #layout: string;
  readonly #registry: string;

  constructor(folder: string, registry: string) {
    this.#layout = join(folder, 'layout');
    this.#registry = registry;
  }

  async reset(): Promise<void> {
    await rm(this.#layout, { recursive: true, force: true });
  }

  async command(images: readonly Tagged[]): Promise<readonly string[]> {
    const options = '--quiet --insecure-policy --override-arch amd64 --src-tls-verify=false';
    const copies = images.map(
      ({ repository, tag }, index) =>
        `skopeo copy ${options} docker://${this.#registry}/${repository}:${tag} oci:${this.#layout}:part-${index}`,
    );
    return ['sh', '-ec', copies.join('\n')];
  }
}
