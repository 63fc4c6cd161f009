import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { landfall } from '../../pty/terminal.ts';
import { workFolder } from '../../simulator/work-folder.ts';
import { chatName } from '../boot/first-booted.ts';
import type { FastHost } from '../machine/fast-host.ts';
import { CuttingProxy } from './cutting-proxy.ts';
import { SshClient } from './ssh-client.ts';

/** The URL does not resolve: a bundle that arrives over SSH does not need it. */
const init = ['init', '--release-url', 'https://nowhere.invalid/landfall/'];

/** A user's folder with a site, a key and a bundle, and a way to a server that can break. */
export class DeliveryLab {
  readonly folder: string;
  readonly client: SshClient;
  /** Folder of the bundle. */
  readonly dist: string;
  #proxy: CuttingProxy | undefined;

  private constructor(folder: string, client: SshClient, dist: string) {
    this.folder = folder;
    this.client = client;
    this.dist = dist;
  }

  /** @param serverBundle the build folder that all servers of a run share */
  static async open(serverBundle: string): Promise<DeliveryLab> {
    const folder = await mkdtemp(join(await workFolder(), 'delivery-'));
    await mkdir(join(folder, 'ssh'));
    const client = await SshClient.create(join(folder, 'ssh'));
    const lab = new DeliveryLab(folder, client, join(serverBundle, 'dist'));
    const answers = ['--ssh-key', client.publicKey, '--ui-host', chatName, '--tls', 'internal'];
    const { exitCode, stderr } = await lab.run([...landfall, ...init, ...answers]);
    if (exitCode !== 0) throw new Error(`${stderr}`);
    return lab;
  }

  /** Leads to a server: a port of loopback here. @param cutsAfter bytes of the first connections */
  async leadTo(host: FastHost, cutsAfter: readonly number[] = []): Promise<CuttingProxy> {
    await this.#proxy?.close();
    const target = { host: host.addresses.v4, port: 22 };
    this.#proxy = await CuttingProxy.start(target, cutsAfter);
    return this.#proxy;
  }

  /** Returns the words of a command line for that server. */
  words(command: string, user: string, ...more: readonly string[]): string[] {
    return [...this.login(command, user), '--release', this.dist, ...more];
  }

  /** Returns the words of a command line for that server which sends no bundle. */
  login(command: string, user: string): string[] {
    const server = `ssh://${user}@127.0.0.1:${this.#proxy?.port}`;
    return [...landfall, ...command.split(' '), server, '--ssh-config', this.client.config];
  }

  /** Runs a command line without a terminal. */
  async run(words: readonly string[]) {
    const [program = '', ...args] = words;
    const options = {
      cwd: this.folder,
      env: { CI: 'true' },
      stdin: 'ignore',
      reject: false,
    } as const;
    return await execa(program, args, options);
  }

  async close(): Promise<void> {
    await this.#proxy?.close();
  }
}
