import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { findDebianMirror } from '../../setup/debian/debian-mirror.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { tinyGguf } from '../../stand-ins/engine/gguf/tiny-gguf.ts';
import { type Provider, startProvider } from '../../stand-ins/provider/provider.ts';
import type { PremisesDependencies } from '../boot/first-booted.ts';
import { Premises, type SiteParts } from '../boot/premises.ts';
import type { Cloud } from '../network/cloud.ts';
import type { Addresses } from '../network/network.ts';
import { PackageProxy } from '../network/package-proxy.ts';
import type { Uplink } from '../network/uplink.ts';
import { webServer } from '../network/web.ts';
import { answeredBy, type Origin, Overseas } from './overseas.ts';

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
  /** Origins without TLS, for mirrors and relays. */
  readonly near: Readonly<Record<'release' | 'registry' | 'plugin' | 'provider', string>>;
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

  /** @param origins more hosts of the internet */
  static async open(
    { dependencies, registry, composePlugin }: PremisesDependencies,
    openWay: OpenWay,
    origins: Readonly<Record<string, Origin>> = {},
  ): Promise<SealedPremises> {
    const provider = await startProvider({ key: providerKey });
    const folder = join(await workFolder(), 'bundle');
    const { promise, resolve } = Promise.withResolvers<{ uplink: Uplink; way: WayOut }>();
    try {
      const premises = await Premises.open({
        ...{ dependencies, registry, folder, plugin: composePlugin, distribution: 'debian13' },
        ...{ kind: 'thin', pluginUrl: 'https://github.com/docker-compose', sealed: true },
        models: [{ name: 'tiny:1b', bytes: tinyGguf() }],
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

interface Sources {
  readonly folder: string;
  readonly registry: string;
  readonly composePlugin: string;
  readonly provider: Provider;
  readonly dependencies: PremisesDependencies['dependencies'];
}

async function hostsOf({ folder, registry, composePlugin, provider, dependencies }: Sources) {
  const archive = new PackageProxy(await findDebianMirror(), dependencies.packageCache);
  const packages = answeredBy(archive.server());
  return {
    'deb.debian.org': packages,
    'security.debian.org': packages,
    'release.example.net': answeredBy(webServer(join(folder, 'dist'))),
    'registry-1.docker.io': `http://${registry}`,
    'ghcr.io': `http://${registry}`,
    'github.com': ((_asking, response) => response.end(readFileSync(composePlugin))) as Origin,
    'api.provider.example': new URL(provider.baseUrl).origin,
  } as const;
}

/** Serves the same origins where servers may reach them without a proxy. */
async function nearOf(
  cloud: Cloud,
  hosts: Awaited<ReturnType<typeof hostsOf>>,
): Promise<Surroundings['near']> {
  const serve = async (origin: Origin) =>
    typeof origin === 'string'
      ? `http://${await cloud.forward(new URL(origin).host)}`
      : await cloud.serve(createServer(origin));
  return {
    release: await serve(hosts['release.example.net']),
    registry: await serve(hosts['registry-1.docker.io']),
    plugin: await serve(hosts['github.com']),
    provider: await serve(hosts['api.provider.example']),
  };
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
