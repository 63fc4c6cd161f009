import { randomUUID } from 'node:crypto';
import type Docker from 'dockerode';
import { type ExecOptions, execIn, type Ran } from './exec.ts';
import type { Addresses, HostNetwork } from './network.ts';
import { type Login, sshArguments } from './ssh-login.ts';

/** What a TCP port looks like from outside. `filtered`: no answer of any kind in two seconds. */
export type PortState = 'open' | 'refused' | 'filtered';

/** Asks every port of a host at once and prints a JSON object. Any refusal by ICMP counts as one. */
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

/** Somebody on the servers' network, in a container of its own, who holds one SSH key. */
export class Outsider {
  readonly name: string;
  readonly addresses: Addresses;
  /** One line, for a site's `ssh_keys`. */
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

  /** Its first process: whose network is that of whoever looks from here. */
  async pid(): Promise<number> {
    return (await this.#container.inspect()).State.Pid;
  }

  /** Runs a command there, as root of that container. */
  async run(command: string | readonly string[], options: ExecOptions = {}): Promise<Ran> {
    const argv = typeof command === 'string' ? ['sh', '-c', command] : command;
    return await execIn(this.#container, argv, options);
  }

  /** Installs Debian packages there, such as ssh-audit. */
  async install(...packages: string[]): Promise<void> {
    const script = 'apt-get -q update && apt-get -qy install --no-install-recommends "$@"';
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    const ran = await this.run(['sh', '-c', script, 'sh', ...packages], { env });
    if (ran.exitCode !== 0) throw new Error(ran.stdout + ran.stderr);
  }

  /** How TCP ports of an address look, IPv4 or IPv6. */
  async ports(address: string, ports: readonly number[]): Promise<Record<number, PortState>> {
    const ran = await this.run(['python3', '-c', probe, address, ...ports.map(String)]);
    if (ran.exitCode !== 0) throw new Error(`the ports cannot be probed: ${ran.stderr}`);
    return JSON.parse(ran.stdout);
  }

  /**
   * Fetches a page with curl; certificates are not judged unless `options` bring `--cacert`.
   * @returns status 0 where there is no answer, with what curl says as the body
   */
  async fetch(url: string, options: readonly string[] = ['--insecure']): Promise<Page> {
    const args = ['-sS', '-m', '20', '-w', '\\n%{http_code}', ...options, url];
    const { exitCode, stdout, stderr } = await this.run(['curl', ...args]);
    if (exitCode !== 0) return { status: 0, body: stderr };
    const end = stdout.lastIndexOf('\n');
    return { status: Number(stdout.slice(end + 1)), body: stdout.slice(0, end) };
  }

  /** Logs in and runs a command. Exit code 255 is that of ssh itself: it did not come in. */
  async ssh(login: Login): Promise<Ran> {
    const { argv, env } = sshArguments(login);
    return await this.run(argv, { env });
  }

  /** Sends packets for a network straight to a machine here, as a neighbour in a rack can. */
  async routeThrough(subnet: string, gateway: string): Promise<void> {
    const family = gateway.includes(':') ? '-6' : '-4';
    await this.run(['ip', family, 'route', 'replace', subnet, 'via', gateway]);
  }

  async remove(): Promise<void> {
    await this.#container.remove({ force: true, v: true });
  }
}
