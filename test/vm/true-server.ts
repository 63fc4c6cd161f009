import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecOptions, Ran } from '../host/machine/exec.ts';
import { type DaemonProcess, startDaemon } from '../setup/daemon.ts';
import { imageFiles } from '../setup/vm/true-host-image.ts';
import { ConsoleLog } from './machine/console-log.ts';
import { Disk } from './machine/disk.ts';
import { GuestAgent } from './machine/guest-agent.ts';
import { type MachineDependencies, machineCommand } from './machine/machine.ts';
import { Monitor } from './machine/monitor.ts';
import { type Seed, seedDrive } from './machine/seed.ts';
import type { Replayed } from './machine/write-log.ts';

export interface TrueServerOptions extends MachineDependencies, Seed {
  /** An empty folder for its disk. */
  readonly folder: string;
  /** Size of the disk in GiB; default 12. */
  readonly disk?: number;
  /** MiB; default 3072. */
  readonly memory?: number;
}

interface Running {
  readonly qemu: DaemonProcess;
  readonly monitor: Monitor;
  readonly agent: GuestAgent;
}

/**
 * A server with its own kernel, clock, network card and disk, in qemu. The fast host shares these
 * with this machine.
 */
export class TrueServer {
  readonly name: string;
  readonly console: ConsoleLog;
  readonly #options: TrueServerOptions;
  readonly #disk: Disk;
  readonly #seed: readonly string[];
  readonly #sockets: string;
  #running: Running | undefined;

  private constructor(
    options: TrueServerOptions,
    disk: Disk,
    seed: readonly string[],
    sockets: string,
  ) {
    this.name = options.name;
    this.#options = options;
    this.#disk = disk;
    this.#seed = seed;
    this.#sockets = sockets;
    this.console = new ConsoleLog(join(options.folder, 'console.log'));
  }

  /** Creates a new server, which is off. */
  static async create(options: TrueServerOptions): Promise<TrueServer> {
    const { folder, qemu, image, disk: size = 12 } = options;
    await mkdir(folder, { recursive: true });
    const disk = await Disk.create(folder, qemu, join(image, imageFiles.disk), size);
    const seed = await seedDrive(join(folder, 'seed'), options);
    return new TrueServer(options, disk, seed, await mkdtemp(join(tmpdir(), 'landfall-vm-')));
  }

  /**
   * Switches it on; it then boots unattended.
   * @param clock its initial clock; default: the current time
   */
  async powerOn({ clock }: { clock?: Date } = {}): Promise<void> {
    if (this.#running) throw new Error(`${this.name} is already on`);
    const [monitor, agent] = [join(this.#sockets, 'monitor'), join(this.#sockets, 'agent')];
    const [command, args] = machineCommand({
      ...this.#options,
      memory: this.#options.memory ?? 3072,
      clock,
      console: this.console.path,
      monitor,
      agent,
      drives: [...(await this.#disk.plugIn()), ...this.#seed],
    });
    let connected: Monitor | undefined;
    const qemu = await startDaemon({
      command,
      args,
      log: join(this.#options.folder, 'qemu.log'),
      ready: async () => {
        connected ??= await Monitor.connect(monitor);
        return monitor;
      },
    });
    if (!connected) throw new Error('qemu has no monitor');
    this.#running = { qemu, monitor: connected, agent: await GuestAgent.connect(agent) };
  }

  /**
   * Cuts its power: all unflushed writes of the guest are lost, as on a disk with a volatile cache.
   * Data in the page cache is always lost.
   */
  async powerCut(): Promise<Replayed> {
    const { qemu } = this.#on();
    await qemu.kill();
    return await this.#off('flushed');
  }

  /** Reboots it cleanly, and waits until it is up again. */
  async reboot(): Promise<void> {
    const before = await this.output(`cat ${bootId}`);
    // The machine may be down before it can respond.
    await this.run('systemctl --no-block reboot').catch(() => {});
    await this.waitFor(`! grep -q ${before} ${bootId}`);
  }

  /** Shuts it down cleanly. */
  async powerOff(): Promise<void> {
    const { qemu } = this.#on();
    await this.run('systemctl --no-block poweroff').catch(() => {});
    await qemu.ended;
    await this.#off('all');
  }

  /** Runs a command as root; a failing command is not an error. */
  async run(command: string | readonly string[], options: RunOptions = {}): Promise<Ran> {
    const argv = typeof command === 'string' ? ['sh', '-c', command] : command;
    return await this.#on().agent.run(argv, options);
  }

  /** Returns the standard output of a command that must succeed, without the trailing newline. */
  async output(command: string | readonly string[], options: RunOptions = {}): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run(command, options);
    if (exitCode === 0) return stdout.trimEnd();
    throw new Error(
      `${String(command)} on ${this.name} failed with exit code ${exitCode}: ${stderr}${stdout}`,
    );
  }

  /** Waits until a shell command succeeds, polling every two seconds. Returns its output. */
  async waitFor(command: string, limitSeconds = 900): Promise<string> {
    const end = performance.now() + limitSeconds * 1000;
    for (;;) {
      const ran = await this.run(command).catch(unanswered);
      if (ran.exitCode === 0) return ran.stdout.trimEnd();
      if (performance.now() > end) {
        const last = (await this.console.text()).split('\n').slice(-30).join('\n');
        throw new Error(`${this.name}: not in ${limitSeconds} s: ${command}\n${last}`);
      }
      await sleep(2000);
    }
  }

  /** Returns the journal of one unit in this boot. */
  async journal(unit: string): Promise<string> {
    return await this.output(['journalctl', '--no-pager', '-b', '-o', 'cat', '-u', unit]);
  }

  /** Waits for the end of cloud-init. Returns its status: `done`, `error`, `degraded done`. */
  async cloudInit(limitSeconds = 900): Promise<string> {
    await this.waitFor('test -e /run/cloud-init/result.json', limitSeconds);
    const { stdout } = await this.run('cloud-init status --wait');
    return /status: (.*)/.exec(stdout)?.[1] ?? stdout;
  }

  /** Forwards one of its ports. Returns the port on 127.0.0.1, valid while it is on. */
  async forward(port: number, protocol?: 'tcp' | 'udp'): Promise<number> {
    return await this.#on().monitor.forward(port, protocol);
  }

  /** Removes the machine and its disk. */
  async remove(): Promise<void> {
    if (this.#running) await this.powerCut();
    await rm(this.#sockets, { recursive: true, force: true });
    await rm(this.#options.folder, { recursive: true, force: true });
  }

  #on(): Running {
    if (this.#running) return this.#running;
    throw new Error(`${this.name} is off`);
  }

  async #off(keep: 'flushed' | 'all'): Promise<Replayed> {
    const { monitor, agent } = this.#on();
    monitor.close();
    agent.close();
    this.#running = undefined;
    return await this.#disk.pullOut(keep);
  }
}

/** Converts a command of the fast host to one for the agent. */
type RunOptions = Pick<ExecOptions, 'input' | 'limit'>;

const bootId = '/proc/sys/kernel/random/boot_id';

/** The machine is down, or about to be. */
function unanswered(error: unknown): Ran {
  return { exitCode: -1, stdout: '', stderr: String(error) };
}
