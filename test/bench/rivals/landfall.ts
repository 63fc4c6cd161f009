import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { parse, stringify } from 'yaml';
import { variableOf } from '#contract/component-names.ts';
import type { Tagged } from '../changed-image.ts';
import type { Rival } from './rival.ts';

interface Parts {
  /** Folder to create. */
  readonly folder: string;
  /** Path of the command. */
  readonly program: string;
  readonly registry: string;
  /** URL of a Compose plugin. */
  readonly plugin: string;
}

/**
 * Landfall: a full bundle. Before a cold build, its store and its lock file have Node for the server and
 * the Compose plugin, which other programs do not fetch.
 */
export class Landfall implements Rival {
  readonly name = 'landfall build --full';
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Creates the key, and the store that every cold run starts with. */
  async prepare(images: readonly Tagged[]): Promise<void> {
    const { folder: cwd, program } = this.#parts;
    await mkdir(cwd);
    await execa(process.execPath, [program, 'keygen', '--output', 'release'], { cwd });
    await this.#writeAppliance(images);
    await execa(process.execPath, this.#arguments('--thin', 'seed'), { cwd });
    for (const name of ['dist', 'seed/built']) await rm(join(cwd, name), { recursive: true });
    const lock = parse(await readFile(join(cwd, 'appliance.lock.yaml'), 'utf8'));
    await writeFile(join(cwd, 'seed.lock.yaml'), stringify({ ...lock, images: {} }));
  }

  async reset(): Promise<void> {
    const { folder } = this.#parts;
    for (const name of ['store', 'dist']) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
    await cp(join(folder, 'seed'), join(folder, 'store'), { recursive: true });
    await cp(join(folder, 'seed.lock.yaml'), join(folder, 'appliance.lock.yaml'));
  }

  async command(images: readonly Tagged[]): Promise<readonly string[]> {
    await this.#writeAppliance(images);
    return [process.execPath, ...this.#arguments('--full', 'store')];
  }

  /** Returns the command that prints the help. */
  help(): readonly string[] {
    return [process.execPath, this.#parts.program, '--help'];
  }

  /** Returns the command that verifies the result of the build. */
  verification(): readonly string[] {
    const { program } = this.#parts;
    return [process.execPath, program, 'verify', '--quiet', '--key', 'release.pub', this.bundle()];
  }

  /** Returns the path of the bundle. */
  bundle(): string {
    return join(this.#parts.folder, 'dist/landfall-0.1.0-amd64.tar');
  }

  #arguments(kind: '--full' | '--thin', store: string): string[] {
    const options = ['--quiet', '--key', 'release.key', '--store', store, '--output', 'dist'];
    const { program, registry } = this.#parts;
    return [program, 'build', kind, ...options, '--mirror', `docker.io=http://${registry}`];
  }

  async #writeAppliance(images: readonly Tagged[]): Promise<void> {
    const names = images.map((_, index) => `part-${index}`);
    const components = images.map(
      ({ repository, tag }, index) =>
        `  part-${index}: { image: "docker.io/${repository}:${tag}" }`,
    );
    const services = names.map(
      (name) =>
        `  ${name}: { image: "landfall.local/${name}:\${${variableOf(name, 'TAG')}}", pull_policy: never }`,
    );
    await mkdir(join(this.#parts.folder, 'stack'), { recursive: true });
    await writeFile(
      join(this.#parts.folder, 'stack/compose.yaml'),
      `services:\n${services.join('\n')}\n`,
    );
    await writeFile(
      join(this.#parts.folder, 'appliance.yaml'),
      `name: landfall
version: 0.1.0
platforms: [linux/amd64]
compose: stack
compose_plugin: { urls: ["${this.#parts.plugin}"] }
components:
${components.join('\n')}
`,
    );
  }
}
