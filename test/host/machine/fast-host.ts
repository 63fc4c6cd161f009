import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type Docker from 'dockerode';
import type { HostDistribution } from '../../setup/debian/host-image.ts';
import type { Addresses, HostNetwork } from '../network/network.ts';
import { type ExecOptions, execIn, type Ran } from './exec.ts';
import { asMachine, diskFolders } from './machine.ts';
import { networkConfig } from './network-config.ts';
import { seedBinds, writeSeed } from './seed.ts';

const enter = fileURLToPath(new URL('./enter.sh', import.meta.url));

export interface BootOptions {
  readonly distribution: HostDistribution;
  /** User-data, as an administrator pastes it. */
  readonly userData: Buffer | string;
  /** Name of the machine; default: the distribution and some digits. */
  readonly name?: string;
  /** Whether it gets no IPv4 address. The network must be open for IPv6. */
  readonly ipv6Only?: boolean;
  /** Docker image with its root file system. */
  readonly image: string;
  /** Proxy or mirror settings of the machine's apt, as text for apt.conf.d. */
  readonly aptSettings: string;
}

/**
 * A fresh server: systemd as process 1 in a container that looks like a cloud machine and finds its
 * user-data as a NoCloud seed. It shares kernel, clock, swap and sysctls with the test machine, so
 * these cannot be tested here.
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

  /** Starts a new machine, which then boots unattended (`cloudInit`, `waitFor`). */
  static async boot(engine: Docker, network: HostNetwork, options: BootOptions): Promise<FastHost> {
    const { distribution, image, userData, aptSettings, ipv6Only = false } = options;
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
      Env: ipv6Only
        ? [`HOST_DNS=${network.gateway.v6}`, 'HOST_IPV6_ONLY=yes']
        : [`HOST_DNS=${network.gateway.v4}`],
      // Creates a /dev/console, whose text Docker keeps.
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

  /** Runs a command as root, or as another user. A failing command is not an error. */
  async run(command: string | readonly string[], options: ExecOptions = {}): Promise<Ran> {
    const argv = typeof command === 'string' ? ['sh', '-c', command] : command;
    return await execIn(this.container, argv, options);
  }

  /** Returns the standard output of a command that must succeed, without the trailing newline. */
  async output(command: string | readonly string[], options: ExecOptions = {}): Promise<string> {
    const { exitCode, stdout, stderr } = await this.run(command, options);
    if (exitCode === 0) return stdout.trimEnd();
    throw new Error(
      `${String(command)} on ${this.name} failed with exit code ${exitCode}: ${stderr}${stdout}`,
    );
  }

  /** Returns all console output since the machine was created. */
  async console(): Promise<string> {
    const text = await this.container.logs({ stdout: true, stderr: true });
    return text.toString();
  }

  /** Returns the journal of one unit in this boot. */
  async journal(unit: string): Promise<string> {
    return await this.output(['journalctl', '--no-pager', '-b', '-o', 'cat', '-u', unit]);
  }

  /** Waits until a shell command succeeds, polling every half second. Returns its output. */
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

  /** Waits for the end of cloud-init. Returns its status: `done`, `error`, `degraded done`. */
  async cloudInit(limitSeconds = 600): Promise<string> {
    await this.waitFor('test -e /run/cloud-init/result.json', limitSeconds);
    const { stdout } = await this.run('cloud-init status --wait --long');
    const status = /^status: (.*)$/m.exec(stdout)?.[1] ?? stdout;
    if (status !== 'done') console.log(`${this.name}: ${stdout}`);
    return status;
  }

  /** Reboots the machine cleanly. It keeps its disk; /run is cleared. */
  async reboot(): Promise<void> {
    await this.container.restart({ t: 60 });
  }

  /** Kills all processes at once and restarts. Written data persists. */
  async crash(): Promise<void> {
    await this.container.kill({ signal: 'SIGKILL' });
    await this.container.start();
  }

  /** Sends SIGKILL to the processes of a unit, which systemd notices. */
  async killUnit(unit: string): Promise<void> {
    await this.output(['systemctl', 'kill', '--signal=SIGKILL', unit]);
  }

  /** Writes a file atomically. */
  async put(path: string, bytes: Buffer | string, mode = '0644'): Promise<void> {
    const script = 'umask 077; cat >"$0.new" && chmod "$1" "$0.new" && mv "$0.new" "$0"';
    await this.output(['sh', '-c', script, path, mode], { input: bytes });
  }

  /** Removes the machine and its disk; idempotent. */
  async remove(): Promise<void> {
    if (this.#removed) return;
    this.#removed = true;
    await this.container.remove({ force: true, v: true });
    await rm(this.#seed, { recursive: true, force: true });
  }

  async #last(): Promise<string> {
    const facts =
      'systemctl --failed --plain --no-legend; systemctl list-jobs --no-legend; ip -brief address; ip neighbour; ss -tni';
    const { stdout } = await this.run(facts).catch(failedToRun);
    return [stdout, ...(await this.console()).split('\n').slice(-30)].join('\n');
  }
}

/** A command that cannot be started: the machine is down, or about to be. */
function failedToRun(error: unknown): Ran {
  return { exitCode: -1, stdout: '', stderr: String(error) };
}
