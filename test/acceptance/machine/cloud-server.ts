import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Architecture } from '#contract/bundle/release-name.ts';
import type { Ran } from '../../host/machine/exec.ts';
import { freePort } from '../../setup/free-port.ts';
import type { Administrator } from '../../vm/administrator.ts';
import { ConsoleLog } from '../../vm/machine/console-log.ts';
import { seedDrive } from '../../vm/machine/seed.ts';
import type { AcceptanceServer } from '../acceptance-server.ts';
import { cloudDisk, newDisk } from './cloud-disk.ts';
import type { ImageName } from './cloud-images.ts';
import { accelerators, qemuCommand } from './qemu-command.ts';

interface CloudServerOptions {
  readonly distribution: ImageName;
  /** Path of a qcow2 image that replaces the one of the distribution. */
  readonly image: string | undefined;
  readonly arch: Architecture;
  readonly cache: string;
  /** An empty folder. */
  readonly folder: string;
  readonly administrator: Administrator;
  readonly userData: Buffer;
}

/** A server from a cloud image, reached as its administrator reaches it: with SSH and sudo. */
export class CloudServer implements AcceptanceServer {
  readonly console: ConsoleLog;
  readonly ended: Promise<void>;
  readonly #qemu: ChildProcess;
  readonly #administrator: Administrator;
  readonly #port: number;

  private constructor(qemu: ChildProcess, administrator: Administrator, port: number, log: string) {
    this.console = new ConsoleLog(log);
    this.#qemu = qemu;
    this.ended = new Promise((resolve) => {
      qemu.once('error', () => resolve()).once('exit', () => resolve());
    });
    this.#administrator = administrator;
    this.#port = port;
  }

  /** Creates a new server and switches it on. */
  static async start(options: CloudServerOptions): Promise<CloudServer> {
    const { distribution, arch, cache, folder, administrator, userData } = options;
    const image = options.image ?? (await cloudDisk(distribution, arch, cache));
    const disk = await newDisk(image, folder);
    const seed = await seedDrive(join(folder, 'seed'), { name: 'box', userData, aptSettings: '' });
    const sshPort = await freePort();
    const console = join(folder, 'console.log');
    for (const accelerator of accelerators) {
      const command = qemuCommand({ arch, accelerator, disk, console, sshPort, seed });
      const qemu = spawn(command.program, command.args, {
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      const server = new CloudServer(qemu, administrator, sshPort, console);
      // Inside other virtual machines, KVM can exist and fail.
      const isOn = await Promise.race([server.ended.then(() => false), sleep(5000, true)]);
      if (isOn) return server;
    }
    throw new Error('qemu does not start');
  }

  async run(command: string): Promise<Ran> {
    const quoted = `'${command.replaceAll("'", "'\\''")}'`;
    const login = { user: 'ops', command: `sudo -n sh -c ${quoted}` };
    return await this.#administrator.ssh({ forward: async () => this.#port }, login);
  }

  async remove(): Promise<void> {
    this.#qemu.kill('SIGKILL');
    await this.ended;
  }
}
