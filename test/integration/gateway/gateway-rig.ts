import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, vi } from 'vitest';
import { stackInput } from '../../appliance/stages/stack/stack-input.ts';
import { GatewayClient } from '../stack/gateway-client.ts';
import { StackRig } from '../stack/stack-rig.ts';
import { waiting } from '../stack/waiting.ts';

const program = fileURLToPath(new URL('upstream-program.ts', import.meta.url));
const upstream = 'landfall-test-upstream';
const components = ['ui', 'chat', 'lobe', 'relay'];

/** The request as the upstream received it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: number;
}

/**
 * The real gateway with the limits of `compose.yaml`. Behind every name of the stack, one program
 * echoes its requests.
 */
export class GatewayRig {
  readonly #rig: StackRig;
  readonly #engine: string;
  readonly client: GatewayClient;
  /** Address of the gateway, as this machine reaches it. */
  readonly address: string;

  private constructor(rig: StackRig, engine: string, address: string) {
    this.#rig = rig;
    this.#engine = engine;
    this.address = address;
    this.client = new GatewayClient(address, rig.authority.cert);
  }

  static async start(
    real: { engine: string; registry: string; composePlugin: string },
    site: Record<string, unknown>,
  ): Promise<GatewayRig> {
    const rig = await StackRig.prepare({
      ...real,
      registry: real.registry,
      input: stackInput(site),
    });
    try {
      await rig.compose('up', '--detach', '--no-deps', '--wait', 'gateway');
    } catch (cause) {
      const logs = await rig.compose('logs', 'gateway');
      await rig.close();
      throw new Error(`the gateway does not start:\n${logs}`, { cause });
    }
    const gateway = new GatewayRig(rig, real.engine, await rig.address('gateway'));
    await gateway.#startUpstream(`${real.registry}/library/node:24.22.3-alpine3.24`);
    return gateway;
  }

  /** File of the progress page that the gateway serves. */
  get progressPage(): string {
    return join(this.#rig.state, 'stack', 'gateway', 'progress', 'index.html');
  }

  /** PEM of the authority that signed the gateway's certificates. */
  get authority(): string {
    return this.#rig.authority.cert;
  }

  /** Changes the site, and restarts the gateway. */
  async serve(site: Record<string, unknown>, more: { readonly pass?: string } = {}): Promise<void> {
    await rm(join(this.#rig.state, 'stack', 'gateway', 'conf.d'), { recursive: true });
    await this.#rig.render({ ...stackInput(site), ...more });
    await this.#rig.compose('restart', '--timeout', '0', 'gateway');
    // The health check of the container has the same URL, but it runs only every five seconds.
    await vi.waitFor(async () => expect(await this.#health()).toBe(200), {
      ...waiting,
      interval: 50,
    });
  }

  async #health(): Promise<number | undefined> {
    const url = 'http://127.0.0.1/.well-known/landfall/health';
    return await this.client.ask(url).then(
      ({ status }) => status,
      () => undefined,
    );
  }

  /** Sends a request to a component. Returns the request as the component received it. */
  async seen(...asked: Parameters<GatewayClient['ask']>): Promise<Seen> {
    const { status, text } = await this.client.ask(...asked);
    if (status !== 200) throw new Error(`unexpected status ${status}: ${text}`);
    return JSON.parse(text);
  }

  /** Runs a command in the gateway's container. Returns its exit code and output. */
  async exec(...command: string[]): Promise<{ code: number; output: string }> {
    return await this.#rig.exec('gateway', ...command);
  }

  /** Returns the lines of the log that fail2ban reads. */
  async banLog(): Promise<string[]> {
    const file = join(this.#rig.state, 'gateway-log', 'access.log');
    return (await readFile(file, 'utf8')).split('\n').filter(Boolean);
  }

  /** Runs a program in the network of the gateway. */
  async inItsNetwork(command: string, ...args: string[]): Promise<string> {
    const { State } = await this.#rig.engine.getContainer('landfall-gateway').inspect();
    const net = `--net=/proc/${State.Pid}/ns/net`;
    return (await execa('nsenter', [net, '--', command, ...args])).stdout;
  }

  /** Returns the processes of nginx: unchanged if none was killed. */
  async processes(): Promise<string[]> {
    const { Processes } = await this.#rig.engine.getContainer('landfall-gateway').top();
    // Not the health check, which may be running.
    const ofNginx = Processes.filter((row: string[]) => row.at(-1)?.startsWith('nginx:'));
    if (ofNginx.length === 0) throw new Error(`no nginx among ${JSON.stringify(Processes)}`);
    return ofNginx.map(([, pid = '']: string[]) => pid).sort();
  }

  /** Stops the program behind the gateway: the names of the components no longer resolve. */
  async stopUpstream(): Promise<void> {
    await this.#docker('stop', '--time', '0', upstream);
  }

  async restartUpstream(): Promise<void> {
    await this.#docker('start', upstream);
    await this.#awaitUpstream();
  }

  async close(): Promise<void> {
    await this.#docker('rm', '--force', upstream);
    await this.#rig.close();
  }

  async #startUpstream(image: string): Promise<void> {
    await this.#docker('pull', '--quiet', image);
    await this.#docker(
      ...['run', '--detach', '--name', upstream, '--network', 'landfall_inside'],
      ...components.flatMap((name) => ['--network-alias', name]),
      ...['--volume', `${program}:/upstream.ts:ro`, image, 'node', '/upstream.ts'],
    );
    await this.#awaitUpstream();
  }

  async #awaitUpstream(): Promise<void> {
    for (const name of ['chat', 'next', 'api', 'lobe']) {
      while ((await this.client.ask(`https://${name}.example.com/`)).status !== 200);
    }
  }

  async #docker(...args: string[]): Promise<string> {
    const env = { DOCKER_HOST: `unix://${this.#engine}` };
    return (await execa('docker', args, { env })).stdout;
  }
}
