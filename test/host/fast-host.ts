import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type Docker from 'dockerode';
import type { HostDistribution } from '../setup/host-image.ts';
import { type ExecOptions, execIn, type Ran } from './exec.ts';
import { asMachine, diskFolders } from './machine.ts';
import type { Addresses, HostNetwork } from './network.ts';
import { networkConfig } from './network-config.ts';
import { seedBinds, writeSeed } from './seed.ts';

const enter = fileURLToPath(new URL('./enter.sh', import.meta.url));

export interface BootOptions {
  readonly distribution: HostDistribution;
  /** What a person pastes. */
  readonly userData: Buffer | string;
  /** The name of the machine; default: the distribution and some digits. */
  readonly name?: string;
  /** The engine's image with its root file system. */
  readonly image: string;
  /** How the machine's apt reaches packages, as text for apt.conf.d. */
  readonly aptSettings: string;
}

/**
 * A fresh server: systemd as process 1 in a container that looks like a cloud machine, which finds
 * its user-data as NoCloud seed. Its kernel, clock, swap and sysctls are those of the machine that
 * runs the tests, so nothing about these can be tested here.
 */
export class FastHost {
  readonly name: string;
  readonly distribution: HostDistribution;
  readonly addresses: Addresses;
  readonly container: Docker.Container;
  readonly #seed: string;
  #removed = false;

  private constructor(
    container: Docker.Container,
    { distribution, name }: { distribution: HostDistribution; name: string },
    addresses: Addresses,
    seed: string,
  ) {
    this.container = container;
    this.name = name;
    this.distribution = distribution;
    this.addresses = addresses;
    this.#seed = seed;
  }

  /** Switches a new machine on; it then boots by itself (`cloudInit`, `waitFor`). */
  static async boot(engine: Docker, network: HostNetwork, options: BootOptions): Promise<FastHost> {
    const { distribution, image, userData, aptSettings } = options;
    const name = options.name ?? `${distribution}-${randomUUID().slice(0, 6)}`;
    const addresses = network.take();
    const seed = await mkdtemp(join(tmpdir(), 'landfall-seed-'));
    const config = networkConfig(distribution, addresses, network.gateway);
    await writeSeed(seed, { name, userData, aptSettings, network: config });
    const container = await engine.createContainer({
      name,
      Hostname: name,
      Image: image,
      Entrypoint: ['/bin/bash', '/enter.sh'],
      Env: [`HOST_DNS=${network.gateway.v4}`],
      // Gives it a /dev/console, whose text the engine keeps.
      Tty: true,
      StopSignal: 'SIGRTMIN+3',
      Volumes: diskFolders,
      HostConfig: {
        ...asMachine,
        NetworkMode: network.name,
        Binds: [...seedBinds(seed), `${enter}:/enter.sh:ro`],
      },
      NetworkingConfig: {
        EndpointsConfig: {
          [network.name]: {
            IPAMConfig: { IPv4Address: addresses.v4, IPv6Address: addresses.v6 },
          },
        },
      },
    });
    await container.start();
    return new FastHost(container, { distribution, name }, addresses, seed);
  }

  /** Runs a command as root, or as somebody else; a failing command is no error. */
  async run(command: string | readonly string[], options: ExecOptions = {}): Promise<Ran> {
    const argv = typeof command === 'string' ? ['sh', '-c', command] : command;
    return await execIn(this.container, argv, options);
  }

  /** Standard output of a command that must succeed, without the line break at its end. */
  async output(command: string | readonly string[], options: ExecOptions = {}): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run(command, options);
    if (exitCode === 0) return stdout.trimEnd();
    throw new Error(`${String(command)} on ${this.name} gave ${exitCode}: ${stderr}${stdout}`);
  }

  /** Everything that came out on the console since the machine was made. */
  async console(): Promise<string> {
    const text = await this.container.logs({ stdout: true, stderr: true });
    return text.toString();
  }

  /** What systemd's journal has of one unit in this boot. */
  async journal(unit: string): Promise<string> {
    return await this.output(['journalctl', '--no-pager', '-b', '-o', 'cat', '-u', unit]);
  }

  /** Waits until a shell command succeeds, looking every half second; gives what it printed. */
  async waitFor(command: string, limitSeconds = 600): Promise<string> {
    const end = performance.now() + limitSeconds * 1000;
    for (;;) {
      const ran = await this.run(command).catch(failedToRun);
      if (ran.exitCode === 0) return ran.stdout.trimEnd();
      if (performance.now() > end) {
        throw new Error(
          `${this.name}: not in ${limitSeconds} s: ${command}
it gave ${ran.exitCode}: ${ran.stderr}${ran.stdout}
${await this.#last()}`,
        );
      }
      await sleep(500);
    }
  }

  /** Waits for the end of cloud-init and gives its status: `done`, `error`, `degraded done`. */
  async cloudInit(limitSeconds = 600): Promise<string> {
    await this.waitFor('test -e /run/cloud-init/result.json', limitSeconds);
    const { stdout } = await this.run('cloud-init status --wait --long');
    const status = /^status: (.*)$/m.exec(stdout)?.[1] ?? stdout;
    if (status !== 'done') console.log(`${this.name}: ${stdout}`);
    return status;
  }

  /** Restarts it the orderly way, keeping its disk; what lies in /run is gone. */
  async reboot(): Promise<void> {
    await this.container.restart({ t: 60 });
  }

  /** Kills everything that runs, at once, and starts again: what was written stays written. */
  async crash(): Promise<void> {
    await this.container.kill({ signal: 'SIGKILL' });
    await this.container.start();
  }

  /** Sends SIGKILL to the processes of a unit; systemd sees that. */
  async killUnit(unit: string): Promise<void> {
    await this.output(['systemctl', 'kill', '--signal=SIGKILL', unit]);
  }

  /** Copies bytes to a file, which is there whole or not at all. */
  async put(path: string, bytes: Buffer | string, mode = '0644'): Promise<void> {
    const script = 'umask 077; cat >"$0.new" && chmod "$1" "$0.new" && mv "$0.new" "$0"';
    await this.output(['sh', '-c', script, path, mode], { input: bytes });
  }

  /** Takes the machine and its disk away; once more does no harm. */
  async remove(): Promise<void> {
    if (this.#removed) return;
    this.#removed = true;
    await this.container.remove({ force: true, v: true });
    await rm(this.#seed, { recursive: true, force: true });
  }

  async #last(): Promise<string> {
    const units = 'systemctl --failed --plain --no-legend; systemctl list-jobs --no-legend';
    const { stdout } = await this.run(units).catch(failedToRun);
    return [stdout, ...(await this.console()).split('\n').slice(-30)].join('\n');
  }
}

/** A command that cannot even be started: the machine is down, or about to be. */
function failedToRun(error: unknown): Ran {
  return { exitCode: -1, stdout: '', stderr: String(error) };
}
