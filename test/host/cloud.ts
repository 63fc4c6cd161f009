import type { Server } from 'node:http';
import Docker from 'dockerode';
import { findDebianMirror } from '../setup/debian-mirror.ts';
import type { HostDistribution } from '../setup/host-image.ts';
import { type BootOptions, FastHost } from './fast-host.ts';
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
  /** Folder of a root file system by distribution; those that are wanted. */
  readonly images: Partial<Record<HostDistribution, string>>;
}

/**
 * A provider of servers with one network: it boots fresh ones, and has somebody outside who looks
 * at them. Whatever it made is gone when it closes.
 */
export class Cloud {
  readonly engine: Docker;
  readonly network: HostNetwork;
  /** URL of the proxy, and mirror, for Debian packages. */
  readonly packages: string;
  readonly #images: CloudParts['images'];
  readonly #aptSettings: string;
  readonly #machines: Array<{ remove(): Promise<void> }> = [];

  private constructor(
    engine: Docker,
    network: HostNetwork,
    images: CloudParts['images'],
    packages: string,
    aptSettings: string,
  ) {
    this.engine = engine;
    this.network = network;
    this.packages = packages;
    this.#images = images;
    this.#aptSettings = aptSettings;
  }

  static async open({ engine: socketPath, packageCache, images }: CloudParts): Promise<Cloud> {
    const engine = new Docker({ socketPath });
    const network = await HostNetwork.open(engine);
    const mirror = await findDebianMirror();
    const packages = await network.serve(new PackageProxy(mirror, packageCache).server(), 3142);
    // What holds for this machine's archive (an old snapshot, say) holds for the same files there.
    const checks = mirror.settings.split('\n').filter((line) => /^Acquire::Check-/.test(line));
    const aptSettings = [`Acquire::http::Proxy "${packages}";`, ...checks, ''].join('\n');
    return new Cloud(engine, network, images, packages, aptSettings);
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
