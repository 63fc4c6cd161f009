import { randomUUID } from 'node:crypto';
import type Docker from 'dockerode';
import { type ExecOptions, execIn, type Ran } from '../machine/exec.ts';
import type { Addresses, HostNetwork } from './network.ts';
import { type Login, sshArguments } from './ssh-login.ts';

/**
 * State of a TCP port as seen from outside. `filtered`: no response of any kind within two seconds.
 */
export type PortState = 'open' | 'refused' | 'filtered';

/**
 * Probes every port of a host in parallel and prints a JSON object. Any ICMP error counts as a
 * refusal.
 */
const probe = `
import asyncio, json, sys
async def state(port):
  try:
    _, out = await asyncio.wait_for(asyncio.open_connection(sys.argv[1], port), 2)
    out.close()
    return 'open'
  except (TimeoutError, asyncio.TimeoutError):
    return 'filtered'
  except OSError:
    return 'refused'
async def main():
  ports = [int(port) for port in sys.argv[2:]]
  print(json.dumps(dict(zip(ports, await asyncio.gather(*map(state, ports))))))
asyncio.run(main())
`;

export interface Page {
  readonly status: number;
  readonly body: string;
}

/** A client on the servers' network, in a separate container, with one SSH key. */
export class Outsider {
  readonly name: string;
  readonly addresses: Addresses;
  /** Public key in one line, for a site's `ssh_keys`. */
  readonly publicKey: string;
  readonly #container: Docker.Container;

  private constructor(
    container: Docker.Container,
    name: string,
    addresses: Addresses,
    publicKey: string,
  ) {
    this.#container = container;
    this.name = name;
    this.addresses = addresses;
    this.publicKey = publicKey;
  }

  static async enter(
    engine: Docker,
    network: HostNetwork,
    { image, aptSettings }: { image: string; aptSettings: string },
  ): Promise<Outsider> {
    const addresses = network.take();
    const name = `outsider-${randomUUID().slice(0, 6)}`;
    const container = await engine.createContainer({
      name,
      Hostname: name,
      Image: image,
      Entrypoint: ['sleep', 'infinity'],
      HostConfig: {
        Dns: [network.gateway.v4],
        NetworkMode: network.name,
        CapAdd: ['NET_ADMIN', 'NET_RAW'],
        Init: true,
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
    const script = `cat >/etc/apt/apt.conf.d/90-test-network
      printf '#!/bin/sh\\nprintenv PASSWORD\\n' >/root/askpass && chmod 755 /root/askpass
      ssh-keygen -q -t ed25519 -N '' -C owner -f /root/key && cat /root/key.pub`;
    const { stdout } = await execIn(container, ['sh', '-c', script], { input: aptSettings });
    return new Outsider(container, name, addresses, stdout.trim());
  }

  /** PID of its first process, for entering its network namespace. */
  async pid(): Promise<number> {
    return (await this.#container.inspect()).State.Pid;
  }

  /** Runs a command in it as root of that container. */
  async run(command: string | readonly string[], options: ExecOptions = {}): Promise<Ran> {
    const argv = typeof command === 'string' ? ['sh', '-c', command] : command;
    return await execIn(this.#container, argv, options);
  }

  /** Installs Debian packages in it, such as ssh-audit. */
  async install(...packages: string[]): Promise<void> {
    const script = 'apt-get -q update && apt-get -qy install --no-install-recommends "$@"';
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    const ran = await this.run(['sh', '-c', script, 'sh', ...packages], { env });
    if (ran.exitCode !== 0) throw new Error(ran.stdout + ran.stderr);
  }

  /** Returns the state of TCP ports of an address, IPv4 or IPv6. */
  async ports(address: string, ports: readonly number[]): Promise<Record<number, PortState>> {
    const ran = await this.run(['python3', '-c', probe, address, ...ports.map(String)]);
    if (ran.exitCode !== 0) throw new Error(`the ports cannot be probed: ${ran.stderr}`);
    return JSON.parse(ran.stdout);
  }

  /**
   * Fetches a page with curl. Certificates are not verified unless `options` contain `--cacert`.
   * @returns status 0 if there is no response, with curl's error message as the body
   */
  async fetch(url: string, options: readonly string[] = ['--insecure']): Promise<Page> {
    const args = ['-sS', '-m', '20', '-w', '\\n%{http_code}', ...options, url];
    const { exitCode, stdout, stderr } = await this.run(['curl', ...args]);
    if (exitCode !== 0) return { status: 0, body: stderr };
    const end = stdout.lastIndexOf('\n');
    return { status: Number(stdout.slice(end + 1)), body: stdout.slice(0, end) };
  }

  /** Logs in and runs a command. Exit code 255 means that ssh itself failed. */
  async ssh(login: Login): Promise<Ran> {
    const { argv, env } = sshArguments(login);
    return await this.run(argv, { env });
  }

  /** Routes packets for a network directly to a machine here, as a neighbour in a rack can. */
  async routeThrough(subnet: string, gateway: string): Promise<void> {
    const family = gateway.includes(':') ? '-6' : '-4';
    await this.run(['ip', family, 'route', 'replace', subnet, 'via', gateway]);
  }

  async remove(): Promise<void> {
    await this.#container.remove({ force: true, v: true });
  }
}
