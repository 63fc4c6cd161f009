import type { Server } from 'node:http';
import Docker from 'dockerode';
import { findDebianMirror } from '../../setup/debian/debian-mirror.ts';
import type { HostDistribution } from '../../setup/debian/host-image.ts';
import { PackageProxy } from '../../setup/debian/package-proxy.ts';
import { type BootOptions, FastHost } from '../machine/fast-host.ts';
import { Keeper } from './keeper.ts';
import { NameServer } from './name-server.ts';
import { HostNetwork } from './network.ts';
import { Outsider } from './outsider.ts';
import { Uplink } from './uplink.ts';
import { webServer } from './web.ts';

/** The prepared dependencies of a cloud, as `needs` returns them. */
export interface CloudDependencies {
  /** Path of the Docker socket. */
  readonly engine: string;
  /** Cache folder for Debian packages. */
  readonly packageCache: string;
  /** Docker image by distribution, for the requested distributions. */
  readonly images: Partial<Record<HostDistribution, string>>;
}

/** No power cut damages the disk of these servers, and each file would wait for the disk. */
const fastDpkg = 'DPkg::Options:: "--force-unsafe-io";\n';

/** Host names of Debian's archive in every cloud image. */
const archives = ['deb.debian.org', 'security.debian.org'];

interface Machine {
  remove(): Promise<void>;
}

interface Settings {
  readonly images: CloudDependencies['images'];
  readonly packages: string;
  readonly names: NameServer;
  readonly aptSettings: string;
  readonly ipv6Only: boolean;
  readonly machines: Machine[];
}

/**
 * A cloud provider with one network. It boots fresh servers and has a client outside of them.
 * Everything that it created is removed on `close`.
 */
export class Cloud {
  readonly engine: Docker;
  readonly network: HostNetwork;
  /** URL of an HTTP proxy to Debian's archive only; the same URL is also a mirror. */
  readonly packages: string;
  /** Name server of the servers. */
  readonly names: NameServer;
  readonly #images: CloudDependencies['images'];
  readonly #aptSettings: string;
  readonly #ipv6Only: boolean;
  readonly #machines: Machine[];

  private constructor(
    engine: Docker,
    network: HostNetwork,
    { images, packages, names, aptSettings, ipv6Only, machines }: Settings,
  ) {
    this.engine = engine;
    this.network = network;
    this.packages = packages;
    this.names = names;
    this.#images = images;
    this.#aptSettings = aptSettings;
    this.#ipv6Only = ipv6Only;
    this.#machines = machines;
  }

  /**
   * @param options.sealed only the proxy leads to Debian's archive; otherwise its usual host names
   * do as well
   * @param options.ipv6Only servers have no IPv4 address; names and folders are reachable over IPv6
   */
  static async open(
    dependencies: CloudDependencies,
    options: { sealed?: boolean; ipv6Only?: boolean } = {},
  ): Promise<Cloud> {
    const { ipv6Only = false } = options;
    const engine = new Docker({ socketPath: dependencies.engine });
    const network = await HostNetwork.open(engine);
    const { images } = dependencies;
    const machines: Machine[] = [];
    if (ipv6Only) {
      const [image = ''] = Object.values(images);
      machines.push(await Outsider.enter(engine, network, { image, aptSettings: '' }));
      await network.ipv6();
    }
    const { v4, v6 } = network.gateway;
    const names = await NameServer.start(v4, ...(ipv6Only ? [v6] : []));
    network.onClose(() => names.close());
    const mirror = await findDebianMirror();
    const proxy = new PackageProxy(mirror, dependencies.packageCache);
    const packages = await network.serve(proxy.server(), 3142);
    if (!options.sealed) {
      const archive = await network.serve(proxy.server(), 80);
      if (ipv6Only) await network.overIPv6(archive);
      for (const name of archives) names.set(name, ipv6Only ? { v4, v6 } : { v4 });
    }
    // Settings for this machine's archive (an old snapshot, for example) apply to the same files
    // there.
    const checks = mirror.settings.replace(/^(?!Acquire::Check-).*\n/gm, '');
    const aptSettings = `${checks}${fastDpkg}`;
    const settings = { images, packages, names, aptSettings, ipv6Only, machines };
    return new Cloud(engine, network, settings);
  }

  /** Boots a fresh server. */
  async boot(options: Omit<BootOptions, 'image' | 'aptSettings' | 'ipv6Only'>): Promise<FastHost> {
    const image = this.#imageOf(options.distribution);
    const all = { ...options, image, aptSettings: this.#aptSettings, ipv6Only: this.#ipv6Only };
    const host = await FastHost.boot(this.engine, this.network, all);
    this.#machines.push(host);
    return host;
  }

  /** Boots a server whose user-data has no content, and waits for the end of cloud-init. */
  async bootEmpty(distribution: HostDistribution): Promise<FastHost> {
    const host = await this.boot({ distribution, userData: '#cloud-config\n{}\n' });
    await host.cloudInit();
    return host;
  }

  /**
   * Closes the direct way of all servers and outsiders to anything except the name server and these
   * ports of this machine. Their packets are counted and dropped.
   */
  async closeUplink(ports: readonly number[]): Promise<Uplink> {
    const [distribution = 'debian13'] = Object.keys(this.#images) as HostDistribution[];
    const uplink = await Uplink.close(this.engine, this.network, {
      image: this.#imageOf(distribution),
      ports,
    });
    this.#machines.push(uplink);
    return uplink;
  }

  /** Starts a client on the same network. */
  async outsider(): Promise<Outsider> {
    const [distribution = 'debian13'] = Object.keys(this.#images) as HostDistribution[];
    const image = this.#imageOf(distribution);
    const options = { image, aptSettings: this.#aptSettings };
    const outsider = await Outsider.enter(this.engine, this.network, options);
    this.#machines.push(outsider);
    return outsider;
  }

  /** Starts an SFTP server on the same network. */
  async keeper(host = 'keeper.example.com'): Promise<Keeper> {
    const [distribution = 'debian13'] = Object.keys(this.#images) as HostDistribution[];
    const image = this.#imageOf(distribution);
    const keeper = await Keeper.start(this.engine, this.network, { image, host });
    this.names.set(host, keeper.addresses);
    this.#machines.push(keeper);
    return keeper;
  }

  /** Serves the files of a folder. Returns the URL, with a trailing slash. */
  async serveFolder(folder: string): Promise<string> {
    const url = await this.serve(webServer(folder));
    return `${this.#ipv6Only ? await this.network.overIPv6(url) : url}/`;
  }

  /** Starts a server of ours where servers under test can reach it. Returns its URL. */
  async serve(server: Server, port = 0): Promise<string> {
    return await this.network.serve(server, port);
  }

  /**
   * Makes `127.0.0.1:port` of this machine reachable. Returns the address for servers under test.
   */
  async forward(target: string): Promise<string> {
    return await this.network.forward(target);
  }

  /** Removes every machine and the network. */
  async close(): Promise<void> {
    await Promise.all(this.#machines.splice(0).map((machine) => machine.remove()));
    await this.network.close();
  }

  #imageOf(distribution: HostDistribution): string {
    const image = this.#images[distribution];
    if (image) return image;
    throw new Error(`this cloud was opened without ${distribution}`);
  }
}
