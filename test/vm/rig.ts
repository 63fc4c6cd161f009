import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HostBundle } from '../host/host-bundle.ts';
import type { GivenModel } from '../integration/builder-rig.ts';
import { needs } from '../integration/needs.ts';
import { Owner } from './owner.ts';
import { Surroundings } from './surroundings.ts';
import { TrueServer, type TrueServerOptions } from './true-server.ts';

/** What every test with a real bundle on a true host needs. */
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
  /** For its disk; default: one named after it. Names may come again, folders may not. */
  readonly folder?: string;
  /** Folders that hold the release, as servers see them; default: a good web server. */
  readonly places?: readonly string[];
  /** More of the site. */
  readonly site?: Readonly<Record<string, unknown>>;
}

/** An owner, a bundle, and a network that has what a server fetches; servers are made to order. */
export class Rig {
  readonly owner: Owner;
  readonly bundle: HostBundle;
  readonly surroundings: Surroundings;
  readonly #folder: string;
  readonly #servers: TrueServer[] = [];

  private constructor(folder: string, owner: Owner, bundle: HostBundle, around: Surroundings) {
    this.#folder = folder;
    this.owner = owner;
    this.bundle = bundle;
    this.surroundings = around;
  }

  /**
   * Takes a folder to work in.
   * @param kind a bundle with two components, or what the project ships
   * @param models that the bundle carries; only what the project ships has an engine for them
   */
  static async open(
    folder: string,
    kind: 'small' | 'shipped' = 'small',
    models: readonly GivenModel[] = [],
  ): Promise<Rig> {
    await mkdir(join(folder, 'owner'), { recursive: true });
    const surroundings = await Surroundings.open(vm.packageCache);
    const inputs = { folder: join(folder, 'bundle'), plugin: vm.composePlugin };
    const bundle =
      kind === 'small'
        ? await HostBundle.build({ ...inputs, registry: vm.registry })
        : await HostBundle.shipped({ ...inputs, models, registry: vm.registry });
    return new Rig(folder, await Owner.create(join(folder, 'owner')), bundle, surroundings);
  }

  /** Makes a new server with user-data for it. It is off. */
  async server({ name, folder, places, site, ...machine }: Order): Promise<TrueServer> {
    const userData = await this.bundle.userData({
      release: places ?? [await this.surroundings.serveFolder(this.bundle.dist)],
      admin: { ssh_keys: [this.owner.publicKey] },
      ...site,
    });
    const server = await TrueServer.create({
      ...machine,
      name,
      userData,
      folder: folder ?? join(this.#folder, name),
      aptSettings: this.surroundings.aptSettings,
      qemu: vm.qemu,
      image: vm.trueHost,
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
