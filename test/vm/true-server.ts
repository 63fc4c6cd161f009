import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecOptions, Ran } from '../host/exec.ts';
import { type DaemonProcess, startDaemon } from '../setup/daemon.ts';
import { imageFiles } from '../setup/true-host-image.ts';
import { ConsoleLog } from './machine/console-log.ts';
import { Disk } from './machine/disk.ts';
import { GuestAgent } from './machine/guest-agent.ts';
import { type MachineParts, machineCommand } from './machine/machine.ts';
import { Monitor } from './machine/monitor.ts';
import { type Seed, seedDrive } from './machine/seed.ts';
import type { Replayed } from './machine/write-log.ts';

export interface TrueServerOptions extends MachineParts, Seed {
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
 * A server with a kernel, a clock, a network card and a disk of its own, in qemu: what the fast
 * host shares with this machine, this one does not.
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

  /** Makes a new server, which is off. */
  static async create(options: TrueServerOptions): Promise<TrueServer> {
    const { folder, qemu, image, disk: size = 12 } = options;
    await mkdir(folder, { recursive: true });
    const disk = await Disk.create(folder, qemu, join(image, imageFiles.disk), size);
    const seed = await seedDrive(join(folder, 'seed'), options);
    return new TrueServer(options, disk, seed, await mkdtemp(join(tmpdir(), 'landfall-vm-')));
  }

  /**
   * Switches it on; it then boots by itself.
   * @param clock what its clock shows; default: the right time
   */
  async powerOn({ clock }: { clock?: Date } = {}): Promise<void> {
    if (this.#running) throw new Error(`${this.name} is on`);
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
   * Takes its power away: whatever the guest wrote and had not flushed to its disk is lost, as on a
   * disk with a volatile cache. What its programs only wrote to the page cache is lost anyway.
   */
  async powerCut(): Promise<Replayed> {
    const { qemu } = this.#on();
    await qemu.kill();
    return await this.#off('flushed');
  }

  /** Restarts it the orderly way, and waits until it is up again. */
  async reboot(): Promise<void> {
    const before = await this.output(`cat ${bootId}`);
    // It may be gone before it can say that it will go.
    await this.run('systemctl --no-block reboot').catch(() => {});
    await this.waitFor(`! grep -q ${before} ${bootId}`);
  }

  /** Switches it off the orderly way. */
  async powerOff(): Promise<void> {
    const { qemu } = this.#on();
    await this.run('systemctl --no-block poweroff').catch(() => {});
    await qemu.ended;
    await this.#off('all');
  }

  /** Runs a command as root; a failing command is no error. */
  async run(command: string | readonly string[], options: RunOptions = {}): Promise<Ran> {
    const argv = typeof command === 'string' ? ['sh', '-c', command] : command;
    return await this.#on().agent.run(argv, options);
  }

  /** Standard output of a command that must succeed, without the line break at its end. */
  async output(command: string | readonly string[], options: RunOptions = {}): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run(command, options);
    if (exitCode === 0) return stdout.trimEnd();
    throw new Error(`${String(command)} on ${this.name} gave ${exitCode}: ${stderr}${stdout}`);
  }

  /** Waits until a shell command succeeds, looking every two seconds; gives what it printed. */
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

  /** What systemd's journal has of one unit in this boot. */
  async journal(unit: string): Promise<string> {
    return await this.output(['journalctl', '--no-pager', '-b', '-o', 'cat', '-u', unit]);
  }

  /** Waits for the end of cloud-init and gives its status: `done`, `error`, `degraded done`. */
  async cloudInit(limitSeconds = 900): Promise<string> {
    await this.waitFor('test -e /run/cloud-init/result.json', limitSeconds);
    const { stdout } = await this.run('cloud-init status --wait');
    return /status: (.*)/.exec(stdout)?.[1] ?? stdout;
  }

  /** Makes a TCP port of it reachable; gives the port on 127.0.0.1. Holds while it is on. */
  async forward(port: number): Promise<number> {
    return await this.#on().monitor.forward(port);
  }

  /** Takes the machine and its disk away. */
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

/** What the agent understands of what the fast host does. */
type RunOptions = Pick<ExecOptions, 'input' | 'limit'>;

const bootId = '/proc/sys/kernel/random/boot_id';

/** The machine is down, or about to be. */
function unanswered(error: unknown): Ran {
  return { exitCode: -1, stdout: '', stderr: String(error) };
}
