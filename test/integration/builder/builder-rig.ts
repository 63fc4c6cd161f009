import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { parse, stringify } from 'yaml';
import type { ModelRole } from '#contract/bundle/release.ts';
import { variableOf } from '#contract/component-names.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));
/** Command line of the builder in this checkout. */
const checkout = [process.execPath, join(project, 'builder/bin/landfall.mjs')] as const;

/** A model that an appliance includes as a GGUF file. */
export interface GivenModel {
  /** With a tag, such as `tiny:1b`. */
  readonly name: string;
  readonly bytes: Buffer;
  /** Absent: chat. */
  readonly role?: ModelRole;
  /** Absent: that of the builder. */
  readonly template?: string;
}

/** A user's folder with an appliance and a key, and the command line in that folder. */
export class BuilderRig {
  readonly folder: string;
  readonly #registry: string | undefined;
  readonly #program: readonly string[];
  readonly #served: { close(): void }[] = [];

  /**
   * @param folder an empty folder
   * @param registry address of the registry that has every image; undefined for the public ones
   * @param program the command line of the builder
   */
  constructor(folder: string, registry: string | undefined, program: readonly string[] = checkout) {
    this.folder = folder;
    this.#registry = registry;
    this.#program = program;
  }

  /** Writes the appliance and creates a key. `plugin` is the path of a real Compose plugin. */
  async prepare(components: Readonly<Record<string, string>>, plugin?: string): Promise<void> {
    const served = await this.#serve(plugin);
    const lines = Object.entries(components).map(
      ([name, image]) => `  ${name}: { image: "${image}" }`,
    );
    await mkdir(this.folder, { recursive: true });
    await writeFile(
      join(this.folder, 'appliance.yaml'),
      `name: landfall
version: 0.1.0
platforms: [linux/amd64]
compose: stack
components:
${lines.join('\n')}
compose_plugin: { urls: ["${served}"] }
`,
    );
    await this.#writeStack(Object.keys(components));
    await this.landfall(['keygen', '--output', 'release']);
  }

  /**
   * Creates a key next to the appliance that the project ships, with its stack.
   * @param pluginUrl where servers with a thin bundle download the Compose plugin
   * @param client path of a release tarball of sing-box
   */
  async prepareShipped(
    plugin: string,
    models: readonly GivenModel[] = [],
    pluginUrl?: string,
    client?: string,
  ): Promise<void> {
    const served = await this.#serve(plugin);
    const clientUrl = client === undefined ? undefined : await this.#serve(client);
    await mkdir(this.folder, { recursive: true });
    await cp(join(project, 'compose'), join(this.folder, 'stack'), { recursive: true });
    const appliance = parse(await readFile(join(project, 'builder/inputs/appliance.yaml'), 'utf8'));
    const changes = {
      platforms: ['linux/amd64'],
      compose: 'stack',
      models: await this.#writeModels(models),
      compose_plugin: { urls: [served, ...(pluginUrl ? [pluginUrl] : [])] },
      ...(clientUrl ? { clients: { 'sing-box': { urls: [clientUrl] } } } : {}),
    };
    await writeFile(join(this.folder, 'appliance.yaml'), stringify({ ...appliance, ...changes }));
    await this.landfall(['keygen', '--output', 'release']);
  }

  /** Copies GGUF files next to the appliance. Returns their entries for `appliance.yaml`. */
  async #writeModels(models: readonly GivenModel[]): Promise<object[]> {
    const entries: object[] = [];
    for (const { name, role, template, bytes } of models) {
      const gguf = `${name.replaceAll(/[^a-z0-9]/gi, '-')}.gguf`;
      await writeFile(join(this.folder, gguf), bytes);
      entries.push({ name, gguf, ...(role && { role }), ...(template && { template }) });
    }
    return entries;
  }

  /** Runs `landfall` here. Returns its output; throws with its error output. */
  async landfall(
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
    powerCut?: AbortSignal,
  ): Promise<string> {
    const [command = '', ...first] = this.#program;
    const { stdout } = await execa(command, [...first, ...args], {
      cwd: this.folder,
      env: { CI: 'true', ...env },
      stdin: 'ignore',
      ...(powerCut ? { cancelSignal: powerCut, killSignal: 'SIGKILL' } : {}),
    });
    return stdout;
  }

  /** Runs `landfall build`; a registry on loopback replaces every other one. */
  async build(options: {
    output: string;
    /** Default: full. */
    kind?: 'thin' | 'full' | undefined;
    store?: string;
    env?: NodeJS.ProcessEnv;
    more?: string[];
    /** Sends SIGKILL to the build. */
    powerCut?: AbortSignal;
  }): Promise<BuildResult> {
    const { env, more = [], powerCut } = options;
    const words = [...this.buildWords(options), ...more];
    return JSON.parse(await this.landfall(words, env, powerCut));
  }

  /** Returns the arguments of `landfall` for a build. */
  buildWords({
    output,
    kind = 'full',
    store = 'store',
  }: {
    output: string;
    kind?: 'thin' | 'full' | undefined;
    store?: string;
  }): string[] {
    const registry = this.#registry;
    const replaced = registry === undefined ? [] : ['docker.io', 'ghcr.io'];
    const mirrors = replaced.flatMap((name) => ['--mirror', `${name}=http://${registry}`]);
    return [
      'build',
      `--${kind}`,
      '--json',
      '--key',
      'release.key',
      '--output',
      output,
      '--store',
      store,
      ...mirrors,
    ];
  }

  read(...path: string[]): Promise<Buffer> {
    return readFile(join(this.folder, ...path));
  }

  close(): void {
    for (const each of this.#served) each.close();
  }

  /** Serves a file as {@link servePlugin} until the end. Returns its URL. */
  async #serve(path?: string): Promise<string> {
    const server = await servePlugin(path);
    this.#served.push(server);
    return server.url;
  }

  async #writeStack(components: readonly string[]): Promise<void> {
    const services = components.map(
      (name) =>
        `  ${name}: { image: "landfall.local/${name}:\${${variableOf(name, 'TAG')}}", pull_policy: never }`,
    );
    await mkdir(join(this.folder, 'stack'));
    const text = `version: '3.8'\nservices:\n${services.join('\n')}\n`;
    await writeFile(join(this.folder, 'stack', 'compose.yaml'), text);
  }
}

export interface BuildResult {
  readonly bundles: ReadonlyArray<{
    readonly path: string;
    readonly manifestSha256: string;
    readonly unchanged: boolean;
  }>;
  readonly cost: {
    readonly fetched: number;
    readonly fromCache: number;
    readonly hashed: number;
    readonly written: number;
    readonly peakMemory: number;
  };
}

/** URL of the Compose plugin; default: stand-in bytes. */
export async function servePlugin(path?: string): Promise<{ url: string; close(): void }> {
  const bytes = path ? await readFile(path) : Buffer.alloc(300_000, 'stand-in for docker-compose');
  const server = createServer((_request, response) => response.end(bytes));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/docker-compose`, close: () => void server.close() };
}
