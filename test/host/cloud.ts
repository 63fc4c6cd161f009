import type { Server } from 'node:http';
import Docker from 'dockerode';
import { findDebianMirror } from '../setup/debian-mirror.ts';
import type { HostDistribution } from '../setup/host-image.ts';
import { type BootOptions, FastHost } from './fast-host.ts';
import { NameServer } from './name-server.ts';
import { HostNetwork } from './network.ts';
import { Outsider } from './outsider.ts';
import { PackageProxy } from './package-proxy.ts';
import { webServer } from './web.ts';

/** The prepared parts that a cloud is made of, as `needs` gives them. */
export interface CloudParts {
  /** Socket of the engine. */
  readonly engine: string;
  /** Folder that keeps Debian packages. */
  readonly packageCache: string;
  /** Image of the engine by distribution; those that are wanted. */
  readonly images: Partial<Record<HostDistribution, string>>;
}

/** Names that lead to Debian's archive on every cloud image. */
const archives = ['deb.debian.org', 'security.debian.org'];

/**
 * A provider of servers with one network: it boots fresh ones, and has somebody outside who looks
 * at them. Whatever it made is gone when it closes.
 */
export class Cloud {
  readonly engine: Docker;
  readonly network: HostNetwork;
  /** URL of an HTTP proxy, which leads to Debian's archive only; also a mirror of it. */
  readonly packages: string;
  /** Whom servers ask for addresses. */
  readonly names: NameServer;
  readonly #images: CloudParts['images'];
  readonly #aptSettings: string;
  readonly #machines: Array<{ remove(): Promise<void> }> = [];

  private constructor(
    engine: Docker,
    network: HostNetwork,
    images: CloudParts['images'],
    packages: string,
    names: NameServer,
    aptSettings: string,
  ) {
    this.engine = engine;
    this.network = network;
    this.packages = packages;
    this.names = names;
    this.#images = images;
    this.#aptSettings = aptSettings;
  }

  /**
   * @param options.sealed nothing leads to Debian's archive but the proxy; otherwise its usual names
   *   do as well
   */
  static async open(parts: CloudParts, options: { sealed?: boolean } = {}): Promise<Cloud> {
    const engine = new Docker({ socketPath: parts.engine });
    const network = await HostNetwork.open(engine);
    const names = await NameServer.start(network.gateway.v4);
    network.onClose(() => names.close());
    const mirror = await findDebianMirror();
    const proxy = new PackageProxy(mirror, parts.packageCache);
    const packages = await network.serve(proxy.server(), 3142);
    if (!options.sealed) {
      await network.serve(proxy.server(), 80);
      for (const name of archives) names.set(name, { v4: network.gateway.v4 });
    }
    // What holds for this machine's archive (an old snapshot, say) holds for the same files there.
    const aptSettings = mirror.settings.replace(/^(?!Acquire::Check-).*\n/gm, '');
    return new Cloud(engine, network, parts.images, packages, names, aptSettings);
  }

  /** Switches a fresh server on. */
  async boot(options: Omit<BootOptions, 'image' | 'aptSettings'>): Promise<FastHost> {
    const image = this.#imageOf(options.distribution);
    const all = { ...options, image, aptSettings: this.#aptSettings };
    const host = await FastHost.boot(this.engine, this.network, all);
    this.#machines.push(host);
    return host;
  }

  /** Somebody on the same network who is not the server. */
  async outsider(): Promise<Outsider> {
    const [distribution = 'debian13'] = Object.keys(this.#images) as HostDistribution[];
    const image = this.#imageOf(distribution);
    const options = { image, aptSettings: this.#aptSettings };
    const outsider = await Outsider.enter(this.engine, this.network, options);
    this.#machines.push(outsider);
    return outsider;
  }

  /** Serves the files of a folder; gives the URL, with a slash at its end. */
  async serveFolder(folder: string): Promise<string> {
    return `${await this.serve(webServer(folder))}/`;
  }

  /** Lets a server of ours listen where servers reach it; gives its URL. */
  async serve(server: Server, port = 0): Promise<string> {
    return await this.network.serve(server, port);
  }

  /** Makes `127.0.0.1:port` of this machine reachable; gives the address that servers use. */
  async forward(target: string): Promise<string> {
    return await this.network.forward(target);
  }

  /** Takes every machine away, and the network. */
  async close(): Promise<void> {
    for (const machine of this.#machines.splice(0)) await machine.remove();
    await this.network.close();
  }

  #imageOf(distribution: HostDistribution): string {
    const image = this.#images[distribution];
    if (image) return image;
    throw new Error(`this cloud was opened without ${distribution}`);
  }
}
