import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { importedProxiesFile } from '#contract/server-paths.ts';
import { readProxies } from '#proxies/read-proxies.ts';
import { renderTable } from '../../../appliance/stages/firewall/table.ts';
import { Namespace } from '../../integration/firewall/namespaces.ts';

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const node = process.execPath;

/** Addresses of the server, and of hosts outside of its network. */
const own = { v4: '203.0.113.5', v6: '2001:db8:1::5' };
const client = { v4: '198.51.100.7', v6: '2001:db8:9::7' };
export const proxy = '198.51.100.20';
export const web = '198.51.100.80';
const container = { v4: '172.30.0.2', v6: 'fd00:30::2' };
const login = { method: 'chacha20-ietf-poly1305', password: 'test-password' };

/** Ports that are open from outside; those of 8000 and above belong to the container. */
const ports = ['tcp/22', 'tcp/80', 'tcp/443', 'tcp/8080', 'udp/443', 'udp/8443'];

/** A server, its container, and the internet, each in a network namespace. */
export class Surroundings {
  readonly root: string;
  readonly server: Namespace;
  readonly container: Namespace;
  readonly world: Namespace;
  readonly #singBox: string;
  readonly #nft: readonly string[];
  #proxy: ChildProcess | undefined;
  #client: ChildProcess | undefined;

  private constructor(
    { root, singBox, debian }: Given,
    [server, inside, world]: readonly [Namespace, Namespace, Namespace],
  ) {
    this.root = root;
    this.server = server;
    this.container = inside;
    this.world = world;
    this.#singBox = singBox;
    this.#nft = nftOf(debian);
  }

  static async open(given: Given): Promise<Surroundings> {
    const all = [await Namespace.open(), await Namespace.open(), await Namespace.open()] as const;
    const here = new Surroundings(given, all);
    try {
      await here.#connect();
      await here.#writeFiles();
      await here.#serve();
      return here;
    } catch (error) {
      await here.close();
      throw error;
    }
  }

  /** Runs an action of the product on the server. @returns the state of the capture */
  async act(action: string, onFailure = 'closed'): Promise<string> {
    const mount = 'mkdir -p /run/netns && mount -t tmpfs none /run/netns && exec "$0" "$@"';
    const program = [node, script('program.ts'), this.root, action, `http://${web}`, onFailure];
    const unshare = ['unshare', '--mount', 'sh', '-c', mount, ...program];
    const { stdout } = await execa('nsenter', [...inNetworkOf(this.server), ...unshare]);
    return JSON.parse(stdout);
  }

  /** Returns rules, routes, tables without the elements of sets, and the setting of the server. */
  async snapshot(): Promise<string> {
    const commands = [
      'ip -4 rule',
      'ip -6 rule',
      'ip -4 route show table all',
      'ip -6 route show table all',
      'sysctl net.ipv4.conf.all.src_valid_mark',
    ];
    const texts = await Promise.all(commands.map((line) => this.server.run(line)));
    return [...texts, await this.#nftIn(this.server, ['-s', '-t', 'list', 'ruleset'])].join('\n');
  }

  /** Returns the connections from outside, held or new ones, that get no answer. */
  async unanswered(kind: 'held' | 'new'): Promise<string[]> {
    const child = this.#client;
    if (!child?.stdout || !child.stdin) throw new Error('no client');
    const answer = once(child.stdout, 'data');
    child.stdin.write(`${kind}\n`);
    return JSON.parse(String((await answer)[0]));
  }

  /** Requests the web server from the server or its container. @returns what it sees as its client */
  async seenFrom(side: 'server' | 'container', host = web): Promise<string> {
    const args = ['curl', '--silent', '--max-time', '4', `http://${host}/`];
    const options = { reject: false, env: { RES_OPTIONS: 'timeout:2' } } as const;
    const { stdout, exitCode } = await execa(
      'nsenter',
      [...inNetworkOf(this[side]), ...args],
      options,
    );
    return exitCode === 0 ? stdout : 'nothing';
  }

  /** Sends a query to a DNS server that does not exist. @returns the address, or an error code */
  async lookUp(): Promise<string> {
    const code = `const { Resolver } = require('node:dns').promises;
      const resolver = new Resolver({ timeout: 2000, tries: 2 });
      resolver.setServers(['192.0.2.53']);
      resolver.resolve4('any.example').then(([first]) => console.log(first), ({ code }) => console.log(code));`;
    return (await execa('nsenter', [...inNetworkOf(this.server), node, '--eval', code])).stdout;
  }

  /** Returns what left the server directly since the last call: addresses, protocol and ports. */
  async leaked(): Promise<string[]> {
    const listed = await Promise.all(
      ['direct4', 'direct6'].map(async (name) => {
        const text = await this.#nftIn(this.world, ['list', 'set', 'inet', 'watch', name]);
        await this.#nftIn(this.world, ['flush', 'set', 'inet', 'watch', name]);
        return /elements = \{([^}]*)\}/.exec(text)?.[1]?.split(',') ?? [];
      }),
    );
    return listed.flat().map((text) => text.trim());
  }

  async startProxy(): Promise<void> {
    const config = {
      log: { level: 'info' },
      inbounds: [{ type: 'shadowsocks', listen: proxy, listen_port: 8388, ...login }],
      outbounds: [{ type: 'direct', inet4_bind_address: proxy }],
    };
    const path = join(this.root, 'proxy.json');
    await writeFile(path, JSON.stringify(config));
    const argv = [...inNetworkOf(this.world), this.#singBox, 'run', '-c', path];
    const child = spawn('nsenter', argv, { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#proxy = child;
    await new Promise<void>((resolve) => {
      child.stderr.on('data', (text) => String(text).includes('sing-box started') && resolve());
    });
  }

  async stopProxy(): Promise<void> {
    const child = this.#proxy;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async close(): Promise<void> {
    await this.killClient().catch(() => {});
    await this.stopProxy();
    this.#client?.kill('SIGKILL');
    for (const namespace of [this.server, this.container, this.world]) namespace.close();
  }

  /** Kills the proxy client of the server, as the kernel does when memory is short. */
  async killClient(): Promise<void> {
    const unit = join(this.root, 'run/units/landfall-client@active.service');
    // Its parent is the init of this machine, which may never reap it.
    const isGone = '! grep -q "^State:.[^Z]" /proc/$pid/status 2>/dev/null';
    await execa('sh', ['-c', `pid=$(cat ${unit}) && kill -9 $pid && until ${isGone}; do :; done`]);
  }

  /** Starts the proxy client again, as Restart=always does, and waits for its routes. */
  async restartClient(): Promise<void> {
    await execa('nsenter', [
      ...inNetworkOf(this.server),
      ...[join(this.root, 'bin/systemctl'), 'restart', 'landfall-client@active.service'],
    ]);
    const isUp = 'ip -4 route get 192.0.2.1 | grep -q landfall0';
    const wait = ['sh', '-c', `until ${isUp}; do :; done`];
    await execa('nsenter', [...inNetworkOf(this.server), ...wait]);
  }

  async #connect(): Promise<void> {
    await this.server.connect('eth0', this.world, 'server0');
    await this.server.connect('br-lan0', this.container, 'eth0');
    await ipOf(this.server, [
      `address add ${own.v4}/24 dev eth0`,
      `address add ${own.v6}/64 dev eth0 nodad`,
      'address add 172.30.0.1/24 dev br-lan0',
      'address add fd00:30::1/64 dev br-lan0 nodad',
      'route add default via 203.0.113.1',
      '-6 route add default via 2001:db8:1::1',
    ]);
    await ipOf(this.container, [
      `address add ${container.v4}/24 dev eth0`,
      `address add ${container.v6}/64 dev eth0 nodad`,
      'route add default via 172.30.0.1',
      '-6 route add default via fd00:30::1',
    ]);
    await ipOf(this.world, [
      'address add 203.0.113.1/24 dev server0',
      'address add 2001:db8:1::1/64 dev server0 nodad',
      ...[client.v4, proxy, web, '1.1.1.1'].map((address) => `address add ${address}/32 dev lo`),
      `address add ${client.v6}/128 dev lo nodad`,
    ]);
    // Connections to the server come from an address of another network.
    await ipOf(this.world, [
      `route add 203.0.113.5/32 dev server0 src ${client.v4}`,
      `-6 route add ${own.v6}/128 dev server0 src ${client.v6}`,
    ]);
    await this.server.run(
      'sysctl -q -w net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1 net.ipv4.conf.all.rp_filter=1 net.ipv4.conf.eth0.rp_filter=1',
    );
  }

  async #writeFiles(): Promise<void> {
    const { settings } = readProxies(Buffer.from(linkToProxy()), { file: 'links', strict: true });
    const stored = {
      ...{ version: 1, imported: '2026-01-02T03:04:05.000Z', source: { type: 'file' }, settings },
    };
    const stand = [node, script('systemctl.ts'), this.root].join(' ');
    const files: ReadonlyArray<readonly [string, string, number]> = [
      [importedProxiesFile, JSON.stringify(stored), 0o600],
      ['bin/systemctl', `#!/bin/sh\nexec ${stand} "$@"\n`, 0o755],
      ['bin/nft', `#!/bin/sh\nexec ${this.#nft.join(' ')} "$@"\n`, 0o755],
      ['proc/sys/net/ipv6/conf/default/disable_ipv6', '0\n', 0o644],
      ['dev/net/tun', '', 0o644],
      ['etc/resolv.conf', 'nameserver 192.0.2.53\n', 0o644],
    ];
    for (const [path, text, mode] of files) {
      await mkdir(dirname(join(this.root, path)), { recursive: true });
      await writeFile(join(this.root, path), text, { mode });
    }
    const program = join(this.root, 'opt/landfall/current/runtime/sing-box');
    await mkdir(dirname(program), { recursive: true });
    await symlink(this.#singBox, program);
  }

  async #serve(): Promise<void> {
    const openings = [
      ...[80, 443, 8080].map((port) => ({ protocol: 'tcp' as const, first: port, last: port })),
      ...[443, 8443].map((port) => ({ protocol: 'udp' as const, first: port, last: port })),
    ];
    const firewall = renderTable({
      ssh: [22],
      web: [80, 443],
      openings,
      destinations: [],
      unlimited: [],
    });
    await this.#nftIn(this.server, ['--file', '-'], firewall);
    await this.#nftIn(this.server, ['--file', '-'], portsOfContainer);
    await this.#nftIn(this.world, ['--file', '-'], watch);
    await this.server.start([node, script('echo-server.ts'), ...ports.slice(0, 3), 'udp/443']);
    await this.container.start([node, script('echo-server.ts'), 'tcp/80', 'udp/443']);
    await this.world.start([node, script('internet.ts'), web]);
    await this.startProxy();
    const targets = Object.values(own).flatMap((address) =>
      ports.map((port) => port.replace('/', `/${address}/`)),
    );
    const argv = [...inNetworkOf(this.world), node, script('echo-client.ts'), ...targets];
    this.#client = spawn('nsenter', argv, { stdio: ['pipe', 'pipe', 'inherit'] });
    if (this.#client.stdout) await once(this.#client.stdout, 'data');
  }

  async #nftIn(space: Namespace, args: readonly string[], input = ''): Promise<string> {
    return (await execa('nsenter', [...inNetworkOf(space), ...this.#nft, ...args], { input }))
      .stdout;
  }
}

interface Given {
  readonly root: string;
  /** The program of the client and of the proxy. */
  readonly singBox: string;
  /** The root folder of a Debian with nft. */
  readonly debian: string;
}

/** Returns the command of the nft in another Debian, which reads files of this machine. */
function nftOf(debian: string): string[] {
  const architecture = process.arch === 'x64' ? 'x86_64' : 'aarch64';
  const loader =
    process.arch === 'x64' ? 'lib64/ld-linux-x86-64.so.2' : 'lib/ld-linux-aarch64.so.1';
  const libraries = join(debian, `usr/lib/${architecture}-linux-gnu`);
  return [join(debian, loader), '--library-path', libraries, join(debian, 'usr/sbin/nft')];
}

function linkToProxy(): string {
  const user = Buffer.from(`${login.method}:${login.password}`).toString('base64url');
  return `ss://${user}@${proxy}:8388#near`;
}

function inNetworkOf(space: Namespace): string[] {
  return [`--net=/proc/${space.pid}/ns/net`, '--'];
}

async function ipOf(space: Namespace, lines: readonly string[]): Promise<void> {
  for (const line of lines) await space.run(`ip ${line}`);
}

/** What Docker adds for a container with two ports. */
const portsOfContainer = `table inet docker {
  chain arriving {
    type nat hook prerouting priority -100;
    meta nfproto ipv4 iifname "eth0" tcp dport 8080 dnat ip to ${container.v4}:80
    meta nfproto ipv4 iifname "eth0" udp dport 8443 dnat ip to ${container.v4}:443
    meta nfproto ipv6 iifname "eth0" tcp dport 8080 dnat ip6 to [${container.v6}]:80
    meta nfproto ipv6 iifname "eth0" udp dport 8443 dnat ip6 to [${container.v6}]:443
  }
  chain leaving {
    type nat hook postrouting priority 100;
    iifname "br-lan0" oifname != "br-lan0" masquerade
  }
}
`;

/** Records on the outside what is no answer, no neighbour discovery, and not for the proxy. */
const watch = `table inet watch {
  set direct4 { typeof ip saddr . ip daddr . meta l4proto . th sport . th dport; flags dynamic; size 1000; }
  set direct6 { typeof ip6 saddr . ip6 daddr . meta l4proto . th sport . th dport; flags dynamic; size 1000; }
  chain arriving {
    type filter hook prerouting priority -150;
    iifname != "server0" accept
    ct direction reply accept
    ip daddr ${proxy} meta l4proto { tcp, udp } th dport 8388 accept
    icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit, mld2-listener-report } accept
    update @direct4 { ip saddr . ip daddr . meta l4proto . th sport . th dport }
    update @direct6 { ip6 saddr . ip6 daddr . meta l4proto . th sport . th dport }
  }
}
`;
