import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { execa } from 'execa';
import { expect } from 'vitest';
import { engines as schema } from '#contract/site/engines/engines.ts';
import { type EngineState, parseStates } from '../../../appliance/nodes/balancer/states.ts';
import { engineGroups } from '../../../appliance/stages/stack/components/balancer/groups.ts';
import { renderHaproxy } from '../../../appliance/stages/stack/components/balancer/haproxy.ts';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';
import { freePort } from '../../setup/free-port.ts';
import { EngineNode } from './engine-node.ts';

/** Settings of a node in a site, besides its name and its URL. */
type NodeFields = Readonly<Record<string, unknown>>;

interface RigOptions {
  /** Timings to shorten: `timeout queue 600s` to `timeout queue 1s`. */
  readonly replace?: Readonly<Record<string, string>>;
  /** Slots of each node of a Swarm, and the port of all of them. */
  readonly swarm?: { readonly slots: number; readonly port: number };
  /** Digests of the release, by the name of the model. */
  readonly digests?: Readonly<Record<string, string>>;
}

/** The authority of the first server, whose client certificate HAProxy has. */
export const firstServer = new CertificateAuthority('of the first server');

/** The real HAProxy with the configuration of a site, in front of stand-ins. */
export class BalancerRig {
  readonly nodes = new Map<string, EngineNode>();
  readonly #program: string;
  #fields: Array<NodeFields & { name: string }> = [];
  #folder = '';
  #process: ChildProcess | undefined;
  #log = '';
  /** Open WebUI keeps its connections. */
  readonly #agent = new Agent({ keepAlive: true });
  ports: number[] = [];

  constructor(program: string) {
    this.#program = program;
  }

  /** Adds a node; started before HAProxy. */
  async add(name: string, node = new EngineNode(), fields: NodeFields = {}): Promise<EngineNode> {
    this.nodes.set(name, await node.start());
    this.#fields.push({ name, url: node.url, ...fields });
    return node;
  }

  async start({ replace = {}, digests = {}, swarm }: RigOptions = {}): Promise<this> {
    const engines = schema.parse({
      ...{ local: 'no', nodes: this.#fields },
      ...(swarm && { swarm: { slots: swarm.slots } }),
    });
    if (!engines) throw new Error('no engines');
    this.#folder = await mkdtemp(join(tmpdir(), 'landfall-balancer-'));
    const groups = engineGroups(engines, ['qwen3:8b']);
    this.ports = await Promise.all(groups.map(() => freePort()));
    let content = renderHaproxy(groups, { digests: new Map(Object.entries(digests)) })
      .replaceAll('/etc/landfall-balancer', this.#folder)
      .replaceAll('/tmp/haproxy.sock', this.#socket)
      .replaceAll('landfall_engine:11434', `landfall_engine:${swarm?.port}`);
    for (const [index, port] of this.ports.entries()) {
      content = content
        .replace(`bind :${11_434 + index}\n`, `bind 127.0.0.1:${port}\n`)
        .replace(`{ dst_port ${11_434 + index} }`, `{ dst_port ${port} }`);
    }
    for (const [from, to] of Object.entries(replace)) {
      expect(content).toContain(from);
      content = content.replaceAll(from, to);
    }
    const file = join(this.#folder, 'haproxy.cfg');
    await writeFile(file, content);
    for (const { name, ca } of engines.nodes) {
      if (ca) await writeFile(join(this.#folder, `node-${name}.pem`), ca);
    }
    const { cert, key } = firstServer.issue({ usage: 'clientAuth' });
    await writeFile(join(this.#folder, 'client.pem'), `${cert}${firstServer.cert}${key}`);
    await execa(this.#program, ['-c', '-f', file]);
    this.#process = spawn(this.#program, ['-db', '-f', file]);
    this.#process.stdout?.on('data', (chunk) => (this.#log += chunk));
    this.#process.stderr?.on('data', (chunk) => (this.#log += chunk));
    await expect
      .poll(() => this.states().catch(() => this.#log), { timeout: 20_000 })
      .not.toHaveLength(0);
    return this;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  get #socket(): string {
    return join(this.#folder, 'socket');
  }

  /** Sends a command to HAProxy's socket. Returns its answer. */
  async ask(command: string): Promise<string> {
    const socket = createConnection(this.#socket);
    await once(socket, 'connect');
    socket.write(`${command}\n`);
    return await text(socket);
  }

  async states(): Promise<readonly EngineState[]> {
    return parseStates(await this.ask('show stat;show table answers')).servers;
  }

  /** Waits until HAProxy has a state of a node. */
  async reach(name: string, state: EngineState['state']): Promise<EngineState> {
    const find = async () => (await this.states()).find((each) => each.name === name);
    await expect.poll(async () => (await find())?.state, { timeout: 20_000 }).toBe(state);
    return (await find()) as EngineState;
  }

  /** Sends one request that generates. `text` is the whole response, or undefined if it was cut. */
  async generate(
    fields: Record<string, unknown> = {},
    headers: Record<string, string> = {},
    path = '/api/chat',
  ): Promise<{ status: number; text: string | undefined }> {
    const body = JSON.stringify({ model: 'qwen3:8b', ...fields });
    return await this.send('POST', path, body, headers);
  }

  async send(
    method: string,
    path: string,
    body = '',
    headers: Record<string, string> = {},
    port = this.ports[0],
  ): Promise<{ status: number; text: string | undefined }> {
    const sent = request({
      ...{ host: '127.0.0.1', port, method, path, agent: this.#agent },
      headers: {
        ...{ host: 'balancer:11434', 'content-length': Buffer.byteLength(body) },
        ...headers,
      },
    });
    sent.end(body);
    const [response] = await once(sent, 'response').catch(() => []);
    // The connection was closed without a response.
    if (!response) return { status: 0, text: undefined };
    const content = await text(response).catch(() => undefined);
    return { status: response.statusCode, text: content };
  }

  async remove(): Promise<void> {
    this.#agent.destroy();
    if (this.#process) {
      const ended = once(this.#process, 'exit');
      this.#process.kill('SIGKILL');
      await ended;
    }
    await Promise.all([...this.nodes.values()].map((node) => node.kill()));
    await rm(this.#folder || '/nonexistent', { recursive: true, force: true });
    this.nodes.clear();
    this.#fields = [];
  }
}
