import { readFileSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { execa } from 'execa';
import { parse } from 'yaml';

/** User of the relay, as in the image and in `compose.yaml`. */
const relayUser = 65532;

/** Containers on a separate network, with the restrictions of the real stack. */
export class RelayContainers {
  readonly docker: Docker;
  readonly #folder: string;
  readonly #network: Docker.Network;
  readonly #containers: Docker.Container[] = [];
  /** Address of this machine in the network. */
  readonly gateway: string;
  readonly networkName = `relay-test-${process.pid}`;

  private constructor(docker: Docker, folder: string, network: Docker.Network, gateway: string) {
    this.docker = docker;
    this.#folder = folder;
    this.#network = network;
    this.gateway = gateway;
  }

  static async open(socket: string): Promise<RelayContainers> {
    const docker = new Docker({ socketPath: socket });
    const folder = await mkdtemp(join(tmpdir(), 'landfall-relay-'));
    await chmod(folder, 0o755);
    const network = await docker.createNetwork({ Name: `relay-test-${process.pid}` });
    const { IPAM } = await network.inspect();
    return new RelayContainers(docker, folder, network, IPAM?.Config?.[0]?.Gateway ?? '');
  }

  /** Pulls an image and tags it with a local name. */
  async pull(source: string, name: string): Promise<void> {
    const progress = await this.docker.pull(source);
    await new Promise<void>((resolve, reject) => {
      this.docker.modem.followProgress(progress, (error) => (error ? reject(error) : resolve()));
    });
    const [repo = '', tag = ''] = name.split(/:(?=[^:]*$)/);
    await this.docker.getImage(source).tag({ repo, tag });
  }

  /** Starts a relay with these settings and key files. Returns its address. */
  async startRelay(
    image: string,
    settings: object,
    files: Readonly<Record<string, string>>,
    binds: readonly string[] = [],
  ): Promise<{ container: Docker.Container; url: string }> {
    const all = { 'relay.json': JSON.stringify(settings), ...files };
    const folder = await this.#write(all, { owner: relayUser, mode: 0o400 });
    const container = await this.#start({
      Image: image,
      User: `${relayUser}:${relayUser}`,
      // The health check of the image, but without its delay of half a minute. Nanoseconds.
      Healthcheck: { Interval: 1e9 },
      HostConfig: { ...hardened, Binds: [`${folder}:/etc/landfall-relay:ro`, ...binds] },
    });
    return { container, url: `http://${await this.#addressOf(container)}:8080` };
  }

  /** Creates a folder that the relay can write, as on a server. */
  async makeUsageFolder(): Promise<string> {
    const folder = await mkdtemp(join(this.#folder, 'usage-'));
    await chmod(folder, 0o700);
    await chown(folder, relayUser, relayUser);
    return folder;
  }

  /** Returns the address of a container, which a restart may change. */
  async urlOf(container: Docker.Container): Promise<string> {
    return `http://${await this.#addressOf(container)}:8080`;
  }

  /** Starts a real tinyproxy that allows CONNECT to one port. Returns its address. */
  async startTinyproxy(image: string, port: number, login: string): Promise<string> {
    const lines = [
      'Port 8888',
      'Timeout 600',
      'Allow 10.0.0.0/8',
      'Allow 172.16.0.0/12',
      `ConnectPort ${port}`,
      `BasicAuth ${login.replace(':', ' ')}`,
    ];
    const files = { 'tinyproxy.conf': `${lines.join('\n')}\n` };
    const folder = await this.#write(files, { owner: relayUser, mode: 0o444 });
    const container = await this.#start({
      Image: image,
      User: `${relayUser}:${relayUser}`,
      Cmd: ['tinyproxy', '-d', '-c', '/etc/tinyproxy/tinyproxy.conf'],
      HostConfig: { ...hardened, Binds: [`${folder}:/etc/tinyproxy:ro`] },
    });
    return `${await this.#addressOf(container)}:8888`;
  }

  /**
   * Requests the models of a relay from another container, once for each address in `X-Real-IP`. The
   * container stays, so that no later one gets its address.
   * @param name of the container
   */
  async askFrom(
    name: string,
    image: string,
    url: string,
    key: string,
    addresses: readonly string[],
  ): Promise<void> {
    const program = `for (const address of ${JSON.stringify(addresses)}) {
      const headers = { authorization: 'Bearer ${key}', 'x-real-ip': address };
      const { status } = await fetch('${url}/v1/models', { headers });
      if (status !== 200) throw new Error(status);
    }
    console.log('asked');
    setInterval(() => {}, 60_000);`;
    const container = await this.#start({
      ...{ name, Image: image, Entrypoint: ['node', '--input-type=module', '-e', program] },
      HostConfig: hardened,
    });
    await this.#logs(container, 'asked');
  }

  /** Returns all output of a container. */
  async logsOf(container: Docker.Container): Promise<string> {
    return (await container.logs({ stdout: true, stderr: true })).toString();
  }

  /**
   * Returns the memory of a container in bytes: of its program, and of the kernel for its
   * connections. Version 1 of control groups does not count the latter.
   */
  async memoryOf(container: Docker.Container): Promise<{ program: number; connections: number }> {
    const { State } = await container.inspect();
    const status = await readFile(`/proc/${State.Pid}/status`, 'utf8');
    const net = `--net=/proc/${State.Pid}/ns/net`;
    const { stdout } = await execa('nsenter', [net, 'ss', '--tcp', '--memory', '--no-header']);
    const buffers = [...stdout.matchAll(/skmem:\(r(\d+),rb\d+,t(\d+)/g)];
    return {
      program: Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1]) * 1024,
      connections: buffers.reduce((sum, [, r, t]) => sum + Number(r) + Number(t), 0),
    };
  }

  /** Waits until a relay has logged that it listens. */
  async listens(container: Docker.Container): Promise<void> {
    await this.#logs(container, '"listening"');
  }

  /** Waits until a container has logged a word. */
  async #logs(container: Docker.Container, word: string): Promise<void> {
    for (;;) {
      const text = await this.logsOf(container);
      if (text.includes(word)) return;
      const { State } = await container.inspect();
      if (!State.Running)
        throw new Error(`the container ended with exit code ${State.ExitCode}: ${text}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Waits until Docker's health check has a result. */
  async healthOf(container: Docker.Container): Promise<string | undefined> {
    for (;;) {
      const { State } = await container.inspect();
      if (State.Health?.Status !== 'starting') return State.Health?.Status;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  async close(): Promise<void> {
    for (const container of this.#containers) await container.remove({ force: true });
    await this.#network.remove();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #start(options: Docker.ContainerCreateOptions): Promise<Docker.Container> {
    const { HostConfig } = options;
    const container = await this.docker.createContainer({
      ...options,
      HostConfig: { ...HostConfig, NetworkMode: this.#network.id },
    });
    this.#containers.push(container);
    await container.start();
    return container;
  }

  async #addressOf(container: Docker.Container): Promise<string> {
    const { NetworkSettings } = await container.inspect();
    return Object.values(NetworkSettings.Networks)[0]?.IPAddress ?? '';
  }

  async #write(
    files: Readonly<Record<string, string>>,
    { owner, mode }: { owner: number; mode: number },
  ): Promise<string> {
    const folder = await mkdtemp(join(this.#folder, 'etc-'));
    await mkdir(join(folder, 'keys'));
    await chmod(folder, 0o755);
    for (const [name, text] of Object.entries(files)) {
      const path = join(folder, name);
      await writeFile(path, text);
      await chmod(path, mode);
      await chown(path, owner, owner);
    }
    return folder;
  }
}

const { services } = parse(
  readFileSync(new URL('../../../compose/compose.yaml', import.meta.url), 'utf8'),
  { merge: true },
);

/** Restrictions of the relay in `compose.yaml`. */
const hardened: Docker.HostConfig = {
  Sysctls: services.relay.sysctls,
  CapDrop: ['ALL'],
  SecurityOpt: ['no-new-privileges:true'],
  ReadonlyRootfs: true,
  Tmpfs: { '/tmp': '' },
  Memory: 192 * 1024 * 1024,
  PidsLimit: 64,
};
