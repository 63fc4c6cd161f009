import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { execa } from 'execa';

/** Makes IPv6 addresses usable immediately and disables ICMP rate limits. */
const setUp = [
  'ip link set lo up',
  'sysctl -q -w net.ipv6.conf.default.accept_dad=0 net.ipv6.icmp.ratelimit=0 net.ipv4.icmp_ratelimit=0',
  'echo ready',
].join(' && ');

/** A network namespace on this machine, which ends with its process. */
export class Namespace {
  readonly #holder: ChildProcess;
  readonly #others: ChildProcess[] = [];

  private constructor(holder: ChildProcess) {
    this.#holder = holder;
  }

  static async open(): Promise<Namespace> {
    const holder = spawn('unshare', ['--net', 'sh', '-c', `${setUp} && exec sleep infinity`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await wordFrom(holder);
    return new Namespace(holder);
  }

  get pid(): number {
    return this.#holder.pid ?? 0;
  }

  /** Runs a command line in it; words are separated by single spaces. */
  async run(line: string): Promise<string> {
    return (await execa('nsenter', this.#argv(line.split(' ')))).stdout;
  }

  /** Runs a program of another Debian in it. */
  async runIn(root: string, args: readonly string[], input?: string) {
    return await execa('nsenter', this.#argv(['chroot', root, ...args]), {
      ...(input === undefined ? { stdin: 'ignore' } : { input }),
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C.UTF-8' },
      extendEnv: false,
      reject: false,
      all: true,
    });
  }

  /** Connects it with another one by a veth pair. Returns the name of each end in its namespace. */
  async connect(name: string, other: Namespace, otherName: string): Promise<void> {
    await this.run(
      `ip link add ${name} type veth peer name ${otherName} netns /proc/${other.pid}/ns/net`,
    );
    await this.run(`ip link set ${name} up`);
    await other.run(`ip link set ${otherName} up`);
  }

  /** Listens on these TCP ports of every address and sends a greeting. */
  async greet(...ports: number[]): Promise<void> {
    const script = `
      const net = require('node:net');
      const all = process.argv.slice(1).map((port) => new Promise((done) =>
        net.createServer((s) => s.on('error', () => {}).end('hello')).listen(Number(port), '::', done)));
      Promise.all(all).then(() => console.log('ready'));`;
    await this.start([process.execPath, '--eval', script, ...ports.map(String)]);
  }

  /** Returns a list that receives every datagram to this port, on every address. */
  async hear(port: number): Promise<readonly string[]> {
    const script = `
      const port = Number(process.argv[1]);
      const listen = (type) => new Promise((done) => require('node:dgram')
        .createSocket({ type, ipv6Only: type === 'udp6' }).on('message', (text) => console.log(String(text))).bind(port, done));
      Promise.all([listen('udp4'), listen('udp6')]).then(() => console.log('ready'));`;
    const [child] = await this.start([process.execPath, '--eval', script, `${port}`]);
    const heard: string[] = [];
    child.stdout?.on('data', (text) => heard.push(...String(text).trim().split('\n')));
    return heard;
  }

  /** Sends to each address a datagram that contains that address. */
  async tell(port: number, ...addresses: string[]): Promise<void> {
    const script = `
      const [port, ...all] = process.argv.slice(1);
      for (const address of all) {
        const socket = require('node:dgram').createSocket(address.includes(':') ? 'udp6' : 'udp4');
        socket.bind(() => {
          if (!address.includes(':')) socket.setBroadcast(true);
          socket.send(address, Number(port), address, () => socket.close());
        });
      }`;
    const argv = this.#argv([process.execPath, '--eval', script, `${port}`, ...addresses]);
    await execa('nsenter', argv);
  }

  /** Accepts connections to these TCP ports, on every address, without sending anything. */
  async listenTo(...ports: number[]): Promise<void> {
    const script = `
      const net = require('node:net');
      const all = process.argv.slice(1).map((port) => new Promise((done) =>
        net.createServer((s) => s.on('error', () => {})).listen(Number(port), '::', done)));
      Promise.all(all).then(() => console.log('ready'));`;
    await this.start([process.execPath, '--eval', script, ...ports.map(String)]);
  }

  /**
   * Opens connections from an address and keeps them open. Returns the number of established ones,
   * and a function that closes them.
   */
  async hold(
    count: number,
    { from, to, port }: { from: string; to: string; port: number },
  ): Promise<{ open: number; end: () => Promise<void> }> {
    const script = `
      const [from, to, port, count] = process.argv.slice(1);
      const options = { localAddress: from, host: to, port: Number(port) };
      let open = 0;
      for (let index = 0; index < Number(count); index += 1) {
        require('node:net').connect(options).on('connect', () => { open += 1; }).on('error', () => {});
      }
      // Dropped packets get no response: the count is final when it has not changed for a while, and
      // this process was scheduled in between.
      const settle = (before, quiet) => setTimeout(() => setImmediate(() => {
        if (open < Number(count) && quiet < 3) settle(open, open === before ? quiet + 1 : 0);
        else console.log(open);
      }), 400);
      settle(-1, 0);
      setInterval(() => {}, 2 ** 30);`;
    const args = [from, to, `${port}`, `${count}`];
    const [child, word] = await this.start([process.execPath, '--eval', script, ...args]);
    const end = async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    };
    return { open: Number(word), end };
  }

  /** Returns the result of a connection: `open`, `refused`, or `filtered` after a timeout. */
  async connectTo(address: string, port: number, timeoutMs = 1000): Promise<string> {
    const script = `
      const socket = require('node:net').connect({ host: process.argv[1], port: Number(process.argv[2]) });
      const end = (state) => { console.log(state); process.exit(); };
      // The kernel responds immediately; the program behind it, and this one, may be slow.
      let answered = false;
      setTimeout(() => setImmediate(() => answered || end('filtered')), ${timeoutMs});
      socket.on('connect', () => { answered = true; setTimeout(end, 30_000, 'silent'); });
      socket.on('data', () => end('open')).on('error', () => end('refused'));`;
    const argv = this.#argv([process.execPath, '--eval', script, address, String(port)]);
    return (await execa('nsenter', argv)).stdout;
  }

  /** Starts a program that ends with this namespace, and waits for its first output. */
  async start(command: readonly string[]): Promise<[ChildProcess, string]> {
    const child = spawn('nsenter', this.#argv(command), { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#others.push(child);
    return [child, await wordFrom(child)];
  }

  close(): void {
    for (const child of [...this.#others, this.#holder]) child.kill('SIGKILL');
  }

  #argv(command: readonly string[]): string[] {
    return [`--net=/proc/${this.pid}/ns/net`, '--', ...command];
  }
}

/**
 * Waits until a process prints something.
 * @throws Error if it ends instead
 */
async function wordFrom(child: ChildProcess & { readonly stdout: Readable }): Promise<string> {
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`${child.spawnargs[0]} ended with exit code ${code}`);
  });
  // A later end is expected.
  ended.catch(() => {});
  const [word] = await Promise.race([once(child.stdout, 'data'), ended]);
  return String(word).trim();
}
