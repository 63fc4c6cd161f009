import {
  copyFile,
  cp,
  readdir,
  readFile,
  realpath,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { type Digest, hexOf } from '#contract/trust/digest.ts';
import { parseReference } from '../../../builder/inputs/registry/reference.ts';
import { FaultyRegistry } from '../../faulty-registry/faulty-registry.ts';
import { BuilderRig, type GivenModel } from '../../integration/builder/builder-rig.ts';
import { type ChangedImage, withLayer } from './changed-images.ts';

export interface BundleInputs {
  /** An empty work folder. */
  readonly folder: string;
  /** Address of the registry with the images; undefined for the public registries. */
  readonly registry: string | undefined;
  /** Path of a real Compose plugin. */
  readonly plugin: string;
  /** Image by component; default: two small ones that run. */
  readonly components?: Readonly<Record<string, string>>;
  /** Models in the bundle; default: none. Only for the shipped appliance. */
  readonly models?: readonly GivenModel[];
  /** Default: full. A thin one is only for the shipped appliance. */
  readonly kind?: 'thin' | 'full' | undefined;
  /** Where servers with a thin bundle download the Compose plugin. */
  readonly pluginUrl?: string | undefined;
  /** Path of a release tarball of sing-box. Only for the shipped appliance. */
  readonly client?: string | undefined;
  /** Maximum size of a file; a larger bundle is built in parts. Only for the shipped appliance. */
  readonly maxPartSize?: string | undefined;
  /**
   * Whether Docker checks the health of components every two minutes instead of every ten seconds: on an
   * emulated CPU, each check takes seconds. Only for the shipped appliance.
   */
  readonly rareChecks?: boolean;
}

/** The smallest images that behave like the originals. */
export const smallComponents = {
  gateway: 'nginx:1.30.7-alpine',
  tinyproxy: 'kalaksi/tinyproxy:1.7',
} as const;

/** A full bundle with its build folder, built by the real builder with the program of this tree. */
export class HostBundle {
  /** Folder to put on a web server. */
  readonly dist: string;
  /** File name of the archive in that folder. */
  readonly archive = 'landfall-0.1.0-amd64.tar';
  readonly #rig: BuilderRig;

  private constructor(rig: BuilderRig) {
    this.#rig = rig;
    this.dist = join(rig.folder, 'dist');
  }

  static async build(inputs: BundleInputs): Promise<HostBundle> {
    const rig = new BuilderRig(inputs.folder, inputs.registry);
    try {
      await rig.prepare(inputs.components ?? smallComponents, inputs.plugin);
      await rig.build({ output: 'dist' });
    } finally {
      rig.close();
    }
    return new HostBundle(rig);
  }

  /** Builds the shipped appliance, with the images of the test servers. */
  static async shipped(inputs: Omit<BundleInputs, 'components'>): Promise<HostBundle> {
    const rig = new BuilderRig(inputs.folder, inputs.registry);
    try {
      const { kind, maxPartSize, models, plugin, pluginUrl, client } = inputs;
      await rig.prepareShipped(plugin, models, pluginUrl, client);
      if (inputs.rareChecks) await checkRarely(join(rig.folder, 'stack/start-interval.yaml'));
      const more = maxPartSize === undefined ? [] : ['--max-part-size', maxPartSize];
      await rig.build({ output: 'dist', kind, more });
    } finally {
      rig.close();
    }
    return new HostBundle(rig);
  }

  /**
   * Copies the folder of a finished build, which the copy must not outlive. The large folders are
   * links.
   */
  static async copy(original: string, folder: string): Promise<HostBundle> {
    for (const name of await readdir(original)) {
      const [from, to] = [join(original, name), join(folder, name)];
      if (['dist', 'store'].includes(name)) await symlink(from, to);
      else await cp(from, to, { recursive: true });
    }
    return new HostBundle(new BuilderRig(folder, undefined));
  }

  /**
   * Builds another version with the same key, from the original appliance and its lock file. Returns
   * the path of its archive.
   * @param more lines for appliance.yaml
   * @param changed images that are resolved again, from a registry of their own
   */
  async rebuild(
    version: string,
    more = '',
    changed: readonly ChangedImage[] = [],
    signer = 'release',
  ): Promise<string> {
    await this.#ownStore();
    const appliance = parse(await readFile(this.path('appliance.yaml'), 'utf8'));
    for (const { component, image } of changed) appliance.components[component].image = image;
    const name = `appliance-${version}`;
    await writeFile(this.path(`${name}.yaml`), `${stringify({ ...appliance, version })}\n${more}`);
    await copyFile(this.path('appliance.lock.yaml'), this.path(`${name}.lock.yaml`));
    const registry = await this.#registryOf(changed);
    try {
      const output = `dist-${version}`;
      const rig = new BuilderRig(this.#rig.folder, registry?.host);
      const frozen = registry ? [] : ['--frozen'];
      const options = ['--config', `${name}.yaml`, '--key', `${signer}.key`, ...frozen];
      await rig.build({ output, more: options });
      return this.path(join(output, `landfall-${version}-amd64.tar`));
    } finally {
      await registry?.close();
    }
  }

  /** Starts a registry with changed images; undefined without any. */
  async #registryOf(changed: readonly ChangedImage[]): Promise<FaultyRegistry | undefined> {
    if (changed.length === 0) return undefined;
    const lock = parse(await readFile(this.path('appliance.lock.yaml'), 'utf8'));
    const read = (digest: Digest) => readFile(this.path(`store/blobs/sha256/${hexOf(digest)}`));
    const registry = await FaultyRegistry.start();
    for (const { component, image, files } of changed) {
      const { manifest } = lock.images[component].platforms['linux/amd64'];
      const { repository, tag } = parseReference(image);
      registry.push(`${repository}:${tag}`, await withLayer(manifest, files, read));
    }
    return registry;
  }

  /** Replaces the link of a copy: a build writes into the store. */
  async #ownStore(): Promise<void> {
    const store = join(this.#rig.folder, 'store');
    const original = await realpath(store);
    if (original === store) return;
    await unlink(store);
    await cp(original, store, { recursive: true });
  }

  /** Runs `landfall` in the build folder. Returns its output. */
  async landfall(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
    return await this.#rig.landfall(args, env);
  }

  /** Returns the path of a file there, such as `release.key`. */
  path(name: string): string {
    return join(this.#rig.folder, name);
  }

  /** Renders the user-data of a site, which needs only `release` and `admin`. */
  async userData(site: Readonly<Record<string, unknown>>): Promise<Buffer> {
    await writeFile(join(this.#rig.folder, 'site.yaml'), stringify(site));
    const release = `dist/${this.archive}`;
    // Without an effect on sites whose proxy has no password.
    const options = ['--allow-route-password', '--output', 'user-data.yaml'];
    await this.#rig.landfall(['user-data', '--release', release, ...options]);
    return await readFile(join(this.#rig.folder, 'user-data.yaml'));
  }
}

async function checkRarely(file: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  const rare = text.replaceAll(/{ interval: .* }/g, '{ interval: 2m, start_interval: 10s }');
  if (rare === text) throw new Error(`${file} has no intervals`);
  await writeFile(file, rare);
}
