import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type BundleInputs, HostBundle } from '../host/boot/host-bundle.ts';
import type { GivenModel } from '../integration/builder/builder-rig.ts';
import { needs } from '../integration/needs.ts';
import { Administrator } from './administrator.ts';
import { Surroundings } from './surroundings.ts';
import { TrueServer, type TrueServerOptions } from './true-server.ts';

/** Dependencies of every test with a real bundle on a real kernel. */
export const vm = needs(
  'qemu',
  'trueHost',
  'accelerator',
  'packageCache',
  'registry',
  'composePlugin',
);

export interface Order extends Pick<TrueServerOptions, 'disk' | 'memory'> {
  readonly name: string;
  /** Folder of its image; default: that of a Debian 13. */
  readonly image?: string;
  /** Folder name for its disk; default: the server's name. Names can repeat, folders cannot. */
  readonly folder?: string;
  /** Handlers that serve the release; default: a correct web server. */
  readonly mirrors?: readonly string[];
  /** Additional fields of the site. */
  readonly site?: Readonly<Record<string, unknown>>;
}

/**
 * An administrator, a bundle, and a network with all downloads of a server; servers are created on
 * request.
 */
export class Rig {
  readonly administrator: Administrator;
  readonly bundle: HostBundle;
  readonly surroundings: Surroundings;
  readonly #folder: string;
  readonly #servers: TrueServer[] = [];

  private constructor(
    folder: string,
    administrator: Administrator,
    bundle: HostBundle,
    around: Surroundings,
  ) {
    this.#folder = folder;
    this.administrator = administrator;
    this.bundle = bundle;
    this.surroundings = around;
  }

  /**
   * @param folder a work folder
   * @param kind a bundle with two components, or the shipped appliance
   * @param models models in the bundle; only the shipped appliance has an inference engine for them
   * @param checks how often Docker checks the health of components
   */
  static async open(
    folder: string,
    kind: 'small' | 'shipped' = 'small',
    models: readonly GivenModel[] = [],
    checks: Pick<BundleInputs, 'rareChecks'> = {},
  ): Promise<Rig> {
    await mkdir(join(folder, 'administrator'), { recursive: true });
    const surroundings = await Surroundings.open(vm.packageCache);
    const inputs = { folder: join(folder, 'bundle'), plugin: vm.composePlugin, ...checks };
    const bundle =
      kind === 'small'
        ? await HostBundle.build({ ...inputs, registry: vm.registry })
        : await HostBundle.shipped({ ...inputs, models, registry: vm.registry });
    return new Rig(
      folder,
      await Administrator.create(join(folder, 'administrator')),
      bundle,
      surroundings,
    );
  }

  /** Creates a new server with its user-data. It is off. */
  async server({ name, folder, mirrors, site, ...machine }: Order): Promise<TrueServer> {
    const userData = await this.bundle.userData({
      release: mirrors ?? [await this.surroundings.serveFolder(this.bundle.dist)],
      admin: { ssh_keys: [this.administrator.publicKey] },
      ...site,
    });
    const server = await TrueServer.create({
      ...machine,
      name,
      userData,
      folder: folder ?? join(this.#folder, name),
      aptSettings: this.surroundings.aptSettings,
      qemu: vm.qemu,
      image: machine.image ?? vm.trueHost,
      accelerator: vm.accelerator === 'kvm' ? 'kvm' : 'tcg',
    });
    this.#servers.push(server);
    return server;
  }

  async close(): Promise<void> {
    for (const server of this.#servers.splice(0)) await server.remove();
    await this.surroundings.close();
  }
}
