import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { renderTinyproxy } from '../../appliance/stages/stack/components/tinyproxy/configuration.ts';
import { stackInput } from '../appliance/stages/stack/stack-input.ts';
import { freePort } from '../setup/free-port.ts';

/** The login of a server, for `Proxy-Authorization`. */
export const account = Buffer.from(
  'secret-of-tinyproxy_username:secret-of-tinyproxy_password',
).toString('base64');

/** The real tinyproxy in a container, with the files that a server renders for a site. */
export class TinyproxyRig {
  readonly #folder: string;
  readonly #registry: string;
  readonly #env: NodeJS.ProcessEnv;
  #container = '';

  private constructor(folder: string, registry: string, socket: string) {
    this.#folder = folder;
    this.#registry = registry;
    this.#env = { DOCKER_HOST: `unix://${socket}` };
  }

  static async prepare({
    engine,
    registry,
  }: {
    readonly engine: string;
    readonly registry: string;
  }) {
    const folder = await mkdtemp(join(tmpdir(), 'landfall-tinyproxy-'));
    return new TinyproxyRig(folder, registry, engine);
  }

  /** Starts it on a separate port in the network of this machine. Returns the port. */
  async start(site: Record<string, unknown>): Promise<number> {
    const port = await freePort();
    for (const { path, content, owner } of renderTinyproxy(stackInput(site))) {
      const file = join(this.#folder, path.replace('tinyproxy/', ''));
      await writeFile(file, content.replace('Port 8888', `Port ${port}`), { mode: 0o400 });
      await chown(file, owner || 57981, owner || 57981);
    }
    await execa('chmod', ['755', this.#folder]);
    const image = `${this.#registry}/kalaksi/tinyproxy:1.7`;
    await this.#docker('pull', '--quiet', image);
    this.#container = await this.#docker(
      ...['run', '--detach', '--network', 'host', '--user', '57981:57981', '--cap-drop', 'ALL'],
      ...['--read-only', '--volume', `${this.#folder}:/etc/tinyproxy:ro`],
      ...['--entrypoint', 'tinyproxy', image, '-d', '-c', '/etc/tinyproxy/tinyproxy.conf'],
    );
    const answers = () => connect(port, 'nowhere.invalid:443').catch(() => 0);
    try {
      await expect.poll(answers, { timeout: 60_000 }).not.toBe(0);
    } catch (cause) {
      throw new Error(await this.#docker('logs', this.#container), { cause });
    }
    return port;
  }

  async remove(): Promise<void> {
    if (this.#container) await this.#docker('rm', '--force', this.#container);
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #docker(...args: string[]): Promise<string> {
    return (await execa('docker', args, { env: this.#env })).stdout;
  }
}

/** Returns the status of CONNECT. */
export async function connect(
  port: number,
  target: string,
  authorization?: string,
  from = '127.0.0.1',
): Promise<number> {
  const headers = authorization ? { 'proxy-authorization': `Basic ${authorization}` } : {};
  const sent = request({
    ...{ host: '127.0.0.1', port, localAddress: from, method: 'CONNECT', path: target },
    ...{ headers, agent: false },
  }).end();
  return await new Promise((resolve, reject) => {
    sent.once('error', reject).once('connect', (response, socket) => {
      socket.destroy();
      resolve(response.statusCode ?? 0);
    });
  });
}
