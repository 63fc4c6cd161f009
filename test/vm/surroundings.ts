import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { webServer } from '../host/network/web.ts';
import { findDebianMirror } from '../setup/debian/debian-mirror.ts';
import { PackageProxy } from '../setup/debian/package-proxy.ts';

/** Address of this machine's loopback inside a guest of qemu. */
const gateway = '10.0.2.2';

/** Network services of a server: they listen on this machine's loopback. */
export class Surroundings {
  /** Text for apt.conf.d: proxy settings for Debian's archive. */
  readonly aptSettings: string;
  /** URL of the proxy for Debian packages; also a mirror. */
  readonly packages: string;
  readonly #closers: Array<() => Promise<void>>;

  private constructor(packages: string, aptSettings: string, closers: Array<() => Promise<void>>) {
    this.packages = packages;
    this.aptSettings = aptSettings;
    this.#closers = closers;
  }

  /** @param folder cache of Debian packages */
  static async open(packageCache: string): Promise<Surroundings> {
    const closers: Array<() => Promise<void>> = [];
    const mirror = await findDebianMirror();
    const packages = await listen(new PackageProxy(mirror, packageCache).server(), closers);
    // Settings for this machine's archive (an old snapshot, for example) apply to the same files
    // there.
    const checks = mirror.settings.split('\n').filter((line) => /^Acquire::Check-/.test(line));
    const settings = [`Acquire::http::Proxy "${packages}";`, ...checks, ''].join('\n');
    return new Surroundings(packages, settings, closers);
  }

  /** Serves the files of a folder. Returns the URL, with a trailing slash. */
  async serveFolder(folder: string): Promise<string> {
    return `${await this.serve(webServer(folder))}/`;
  }

  /**
   * Starts a server of ours. Returns its URL as servers under test see it, without a trailing
   * slash.
   */
  async serve(server: Server): Promise<string> {
    return await listen(server, this.#closers);
  }

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0)) await close();
  }
}

async function listen(server: Server, closers: Array<() => Promise<void>>): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://${gateway}:${(server.address() as AddressInfo).port}`;
}
