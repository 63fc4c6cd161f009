import { join } from 'node:path';
import { workFolder } from '../../simulator/work-folder.ts';
import { tinyGguf } from '../../stand-ins/engine/gguf/tiny-gguf.ts';
import { type Provider, startProvider } from '../../stand-ins/provider/provider.ts';
import { HostBundle } from '../boot/host-bundle.ts';
import { Premises, type SiteParts } from '../boot/premises.ts';
import type { Cloud } from '../network/cloud.ts';
import type { Addresses } from '../network/network.ts';
import type { Uplink } from '../network/uplink.ts';
import { hostsOf, type Near, nearOf, type SealedDependencies } from './origins.ts';
import { type Origin, Overseas } from './overseas.ts';

export const providerKey = 'sk-of-the-provider';
/** Host name of the relay on the server. */
export const relayName = 'api.example.com';

/** A way out of a network whose uplink is closed. */
export interface WayOut {
  /** Fields of the site that describe it. */
  readonly site: SiteParts;
  /** Ports of this machine that servers reach. */
  readonly ports: readonly number[];
  /** Machines that reach the internet directly. */
  readonly machines?: readonly Addresses[];
  /** Returns what the proxy logged, one request per line. */
  log(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Opens a way out for servers of a cloud. */
export type OpenWay = (surroundings: Surroundings) => Promise<WayOut>;

export interface Surroundings {
  readonly cloud: Cloud;
  readonly overseas: Overseas;
  readonly near: Near;
}

interface SealedOptions {
  /** More hosts of the internet. */
  readonly origins?: Readonly<Record<string, Origin>>;
  /** Path of a release tarball of sing-box, for the bundle. */
  readonly client?: string;
}

/**
 * A server that installs a thin bundle on a network without a direct way to the internet: packages,
 * the bundle, images, the Compose plugin and the provider are reachable over one way only.
 */
export class SealedPremises {
  readonly premises: Premises;
  readonly provider: Provider;
  readonly uplink: Uplink;
  readonly way: WayOut;

  private constructor(premises: Premises, provider: Provider, uplink: Uplink, way: WayOut) {
    this.premises = premises;
    this.provider = provider;
    this.uplink = uplink;
    this.way = way;
  }

  static async open(
    { dependencies, registry, composePlugin }: SealedDependencies,
    openWay: OpenWay,
    { origins = {}, client }: SealedOptions = {},
  ): Promise<SealedPremises> {
    const provider = await startProvider({ key: providerKey });
    const folder = join(await workFolder(), 'bundle');
    const { promise, resolve } = Promise.withResolvers<{ uplink: Uplink; way: WayOut }>();
    try {
      const bundle = await HostBundle.shipped({
        ...{ registry, folder, plugin: composePlugin },
        ...{ kind: 'thin', pluginUrl: 'https://github.com/docker-compose' },
        models: [{ name: 'tiny:1b', bytes: tinyGguf() }],
        client,
      });
      const premises = await Premises.open({
        ...{ dependencies, bundle, distribution: 'debian13', sealed: true },
        site: async (cloud) => {
          const hosts = await hostsOf({ folder, registry, composePlugin, provider, dependencies });
          const overseas = await Overseas.open(cloud, { ...hosts, ...origins });
          const near = await nearOf(cloud, hosts);
          const way = await openWay({ cloud, overseas, near });
          const uplink = await cloud.closeUplink(way.ports);
          for (const machine of way.machines ?? []) await uplink.exempt(machine);
          resolve({ uplink, way });
          return { ...siteWith(overseas), ...way.site };
        },
      });
      const { uplink, way } = await promise;
      return new SealedPremises(premises, provider, uplink, way);
    } catch (error) {
      await provider.close();
      throw error;
    }
  }

  /** Waits for the end of the first boot, then sets the key of the provider. */
  async comeUp() {
    const status = await this.premises.comeUp();
    const setting = ['landfall', 'secret', 'set', 'OPENAI_API_KEY'];
    await this.premises.host.output(setting, { input: providerKey });
    return status;
  }

  /** Removes everything. */
  async close(): Promise<void> {
    await this.premises.close();
    await this.way.close();
    await this.provider.close();
  }
}

function siteWith({ authority }: Overseas): SiteParts {
  return {
    release: ['https://release.example.net/'],
    hosts: { ui: 'chat.example.com', relay: relayName },
    tls: { mode: 'internal' },
    providers: { openai: { base_url: 'https://api.provider.example/v1' } },
    ca: authority.cert,
  };
}
