import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import type { Tagged } from './changed-image.ts';

/** A measured program. Every program starts from the same state and fetches the same images. */
export interface Rival {
  readonly name: string;
  /** Restores the state before a first run. */
  reset(): Promise<void>;
  /** Returns the command that fetches these images and writes them out. */
  command(images: readonly Tagged[]): Promise<readonly string[]>;
}

const cli = fileURLToPath(new URL('../../builder/cli.ts', import.meta.url));

/**
 * Landfall: a full bundle. Its store is in the state after a thin build (it holds Node for the
 * server).
 */
export class Landfall implements Rival {
  readonly name = 'landfall build --full';
  readonly #folder: string;
  readonly #registry: string;
  readonly #plugin: string;

  /** Takes an empty folder, the registry, and the URL of a Compose plugin. */
  constructor(folder: string, registry: string, plugin: string) {
    this.#folder = folder;
    this.#registry = registry;
    this.#plugin = plugin;
  }

  /** Creates the key, and the store that every cold run starts with. */
  async prepare(images: readonly Tagged[]): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await execa(process.execPath, [cli, 'keygen', '--output', 'release'], { cwd: this.#folder });
    await this.#writeAppliance(images);
    await execa(process.execPath, this.#arguments('--thin', 'seed'), { cwd: this.#folder });
    await rm(join(this.#folder, 'dist'), { recursive: true });
    // `lock` has fetched manifests; a cold build must fetch them again.
    for (const name of ['seed/built']) await rm(join(this.#folder, name), { recursive: true });
  }

  async reset(): Promise<void> {
    for (const name of ['store', 'dist', 'appliance.lock.yaml']) {
      await rm(join(this.#folder, name), { recursive: true, force: true });
    }
    await cp(join(this.#folder, 'seed'), join(this.#folder, 'store'), { recursive: true });
  }

  async command(images: readonly Tagged[]): Promise<readonly string[]> {
    await this.#writeAppliance(images);
    return [process.execPath, ...this.#arguments('--full', 'store')];
  }

  /** Returns the command that verifies the result of the build. */
  verification(): readonly string[] {
    return [process.execPath, cli, 'verify', '--quiet', '--key', 'release.pub', this.bundle()];
  }

  bundle(): string {
    return join(this.#folder, 'dist/landfall-0.1.0-amd64.tar');
  }

  #arguments(kind: '--full' | '--thin', store: string): string[] {
    const options = ['--quiet', '--key', 'release.key', '--store', store, '--output', 'dist'];
    return [cli, 'build', kind, ...options, '--mirror', `docker.io=http://${this.#registry}`];
  }

  async #writeAppliance(images: readonly Tagged[]): Promise<void> {
    const names = images.map((_, index) => `part-${index}`);
    const components = images.map(
      ({ repository, tag }, index) =>
        `  part-${index}: { image: "docker.io/${repository}:${tag}" }`,
    );
    const services = names.map(
      (name) =>
        `  ${name}: { image: "landfall.local/${name}:\${LANDFALL_RELEASE}", pull_policy: never }`,
    );
    await mkdir(join(this.#folder, 'stack'), { recursive: true });
    await writeFile(
      join(this.#folder, 'stack/compose.yaml'),
      `services:\n${services.join('\n')}\n`,
    );
    await writeFile(
      join(this.#folder, 'appliance.yaml'),
      `name: landfall
version: 0.1.0
platforms: [linux/amd64]
compose: stack
compose_plugin: { urls: ["${this.#plugin}"] }
components:
${components.join('\n')}
`,
    );
  }
}

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
