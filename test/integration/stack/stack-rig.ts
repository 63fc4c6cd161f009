import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Docker from 'dockerode';
import { execa } from 'execa';
import { stringify } from 'yaml';
import { gatewayConfigurationFile } from '#contract/bundle/bundle-paths.ts';
import { imageTag } from '#contract/bundle/release-name.ts';
import { components } from '#contract/components.ts';
import { hostNames } from '#contract/site/enabled.ts';
import { renderOverrides, renderStack } from '../../../appliance/stages/stack/render-stack.ts';
import type { StackInput } from '../../../appliance/stages/stack/stack-input.ts';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';

const gatewayUser = components.gateway.user;
const composeFolder = fileURLToPath(new URL('../../../compose', import.meta.url));

/** The images of the small stack, by component. */
const images = {
  engine: 'ollama/ollama:0.35.1',
  ui: 'open-webui/open-webui:v0.12.4',
  chat: 'yidadaa/chatgpt-next-web:v2.16.1',
  lobe: 'lobehub/lobe-chat:1.143.3',
  relay: 'landfall/relay:assembled',
  balancer: 'library/haproxy:3.2.23-alpine3.24',
  tinyproxy: 'kalaksi/tinyproxy:1.7',
  gateway: 'library/nginx:1.30.7-alpine',
  acme: 'goacme/lego:v5.6.0',
} as const;
export type Service = keyof typeof images;

/** The stack of `compose/` on a real Docker, from images that need no server around them. */
export class StackRig {
  readonly engine: Docker;
  readonly state: string;
  /** PEM of the authority that signed the gateway's certificates. */
  readonly authority = new CertificateAuthority();
  readonly #compose: string;
  readonly #socket: string;
  readonly #override: string;
  readonly #given: Partial<Record<Service, string>>;

  input: StackInput;
  /** The folder of the release with compose.yaml. */
  release = composeFolder;

  private constructor(
    socket: string,
    compose: string,
    state: string,
    input: StackInput,
    given: Partial<Record<Service, string>>,
  ) {
    this.input = input;
    this.#given = given;
    this.engine = new Docker({ socketPath: socket });
    this.#socket = socket;
    this.#compose = compose;
    this.state = state;
    this.#override = join(state, 'test.yaml');
  }

  /** Tags the images with their names on a server, and renders the site's files. */
  static async prepare(options: {
    readonly engine: string;
    readonly registry: string;
    readonly composePlugin: string;
    readonly input: StackInput;
    /** Images that replace those in the registry; pulled when missing in Docker. */
    readonly images?: Partial<Record<Service, string>>;
  }): Promise<StackRig> {
    const state = await mkdtemp(join(tmpdir(), 'landfall-stack-'));
    await chmod(state, 0o755);
    const rig = new StackRig(
      options.engine,
      options.composePlugin,
      state,
      options.input,
      options.images ?? {},
    );
    await rig.#nameImages(options.registry, options.input.images);
    await rig.render(options.input);
    await rig.#makeCertificates(hostNames(options.input.site));
    await mkdir(join(state, 'acme', 'challenges'), { recursive: true });
    await mkdir(join(state, 'gateway-log'));
    await chown(join(state, 'gateway-log'), gatewayUser, gatewayUser);
    await makeGatewayLog(state);
    await rig.#keepPortsFree();
    return rig;
  }

  /** Returns the start time of a container, as a text that sorts by time. */
  async startedAt(service: Service): Promise<string> {
    const { State } = await this.engine.getContainer(`landfall-${service}`).inspect();
    return State.StartedAt;
  }

  async networksOf(service: Service): Promise<string[]> {
    const { NetworkSettings } = await this.engine.getContainer(`landfall-${service}`).inspect();
    return Object.keys(NetworkSettings.Networks);
  }

  /** Returns the process of a container on this machine. */
  async processOf(service: Service): Promise<number> {
    return (await this.engine.getContainer(`landfall-${service}`).inspect()).State.Pid;
  }

  /** Returns the settings of a container in a network. */
  async network(service: Service, network: string): Promise<Docker.EndpointSettings> {
    const { NetworkSettings } = await this.engine.getContainer(`landfall-${service}`).inspect();
    const found = NetworkSettings.Networks[`landfall_${network}`];
    if (!found) throw new Error(`${service} is not in the network ${network}`);
    return found as Docker.EndpointSettings;
  }

  /** Returns the host path of a folder of a volume. */
  async volumeFolder(volume: string, ...path: string[]): Promise<string> {
    const { Mountpoint } = await this.engine.getVolume(`landfall_${volume}`).inspect();
    return join(Mountpoint, ...path);
  }

  /** Writes a challenge response where the certificate client would. */
  async putChallenge(token: string, answer: string): Promise<void> {
    const folder = join(this.state, 'acme', 'challenges', '.well-known', 'acme-challenge');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, token), answer);
  }

  /** Returns what Docker's API exposes, and the command lines of all processes. */
  async everythingDockerShows(): Promise<string> {
    const shown: string[] = [(await execa('ps', ['-ewwo', 'args'])).stdout];
    for (const { Id } of await this.engine.listContainers({ all: true })) {
      const container = this.engine.getContainer(Id);
      shown.push(JSON.stringify(await container.inspect()), JSON.stringify(await container.top()));
      const logs = await container
        .logs({ stdout: true, stderr: true })
        .catch(() => Buffer.from('a container without a log'));
      shown.push(logs.toString('utf8'));
    }
    shown.push(JSON.stringify(await this.engine.listImages()));
    return shown.join('\n');
  }

  /** Writes the server's files, with the same owners and modes. */
  async render(input: StackInput): Promise<void> {
    this.input = input;
    const nginx = join(this.release, gatewayConfigurationFile);
    const gatewayConfiguration = await readFile(nginx, 'utf8');
    for (const { path, content, mode, owner } of renderStack({ ...input, gatewayConfiguration })) {
      const file = join(this.state, 'stack', path);
      await mkdir(dirname(file), { recursive: true, mode: 0o755 });
      await rm(file, { force: true });
      await writeFile(file, content, { mode });
      await chown(file, owner, owner);
    }
  }

  /** Runs Compose on the stack. Returns its output. */
  async compose(...args: readonly string[]): Promise<string> {
    const own = renderOverrides(this.input).content.split('\n').filter(Boolean);
    const paths = ['compose.yaml', ...own].map((file) => join(this.release, file));
    const files = [...paths, this.#override].flatMap((path) => ['--file', path]);
    const { stdout } = await execa(
      this.#compose,
      ['--env-file', join(this.state, 'stack', '.env'), ...files, '--ansi', 'never', ...args],
      { env: { DOCKER_HOST: `unix://${this.#socket}`, LANDFALL_STATE: this.state } },
    );
    return stdout;
  }

  /** Returns the address of a container in a network. */
  async address(service: Service, network = 'inside'): Promise<string> {
    return (await this.network(service, network)).IPAddress ?? '';
  }

  /** Runs a command in a container. Returns its exit code and output. */
  async exec(service: Service, ...command: string[]): Promise<{ code: number; output: string }> {
    const { exitCode, all } = await execa('docker', ['exec', `landfall-${service}`, ...command], {
      env: { DOCKER_HOST: `unix://${this.#socket}` },
      reject: false,
      all: true,
    });
    return { code: exitCode ?? -1, output: all };
  }

  async close(): Promise<void> {
    await this.compose('--profile', '*', 'down', '--volumes', '--timeout', '2');
    await rm(this.state, { recursive: true, force: true });
  }

  async #nameImages(registry: string, tagged: StackInput['images']): Promise<void> {
    for (const component of Object.keys(images) as Service[]) {
      const given = this.#given[component];
      const name = given ?? `${registry}/${images[component]}`;
      if (!given || !(await this.#has(given))) await this.#pull(name);
      const image = tagged.find((each) => each.component === component);
      if (!image) throw new Error(`the release has no image of ${component}`);
      const repo = `landfall.local/${component}`;
      await this.engine.getImage(name).tag({ repo, tag: imageTag(image) });
    }
  }

  async #has(image: string): Promise<boolean> {
    const found = await this.engine
      .getImage(image)
      .inspect()
      .catch(() => undefined);
    return found !== undefined;
  }

  async #pull(image: string): Promise<void> {
    const stream = await this.engine.pull(image);
    await new Promise<void>((resolve, reject) => {
      this.engine.modem.followProgress(stream, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Writes certificate pairs to the gateway's two folders, as the server does. */
  async #makeCertificates(names: readonly string[]): Promise<void> {
    const pairs = { site: [...names], other: ['other.invalid'] };
    for (const [pair, own] of Object.entries(pairs)) {
      const folder = join(this.state, 'stack', 'gateway', 'tls', pair);
      await mkdir(folder, { recursive: true });
      const { cert, key } = this.authority.issue({ names: own });
      await writeFile(join(folder, 'fullchain.pem'), cert);
      await writeFile(join(folder, 'privkey.pem'), key, { mode: 0o400 });
      await chown(join(folder, 'privkey.pem'), gatewayUser, gatewayUser);
    }
  }

  /** The stack publishes no ports on this machine: tests use the containers' addresses. */
  async #keepPortsFree(): Promise<void> {
    const services = Object.keys(images).filter((name) => name !== 'acme');
    const marker = 'PORTS';
    const text = stringify({
      services: Object.fromEntries(services.map((name) => [name, { ports: marker }])),
    });
    await writeFile(this.#override, text.replaceAll(marker, '!reset []'));
  }
}

/** Sets owners as the server does, for an unprivileged gateway. */
async function makeGatewayLog(state: string): Promise<void> {
  const file = join(state, 'gateway-log', 'access.log');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, '');
  await chown(file, 101, 101);
}
