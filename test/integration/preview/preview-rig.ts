import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import Dockerode from 'dockerode';
import { execa } from 'execa';
import { HostBundle } from '../../host/boot/host-bundle.ts';
import { inTerminal, landfall, type TerminalRun } from '../../pty/terminal.ts';
import { tinyEmbeddingGguf } from '../../stand-ins/engine/gguf/tiny-embedding-gguf.ts';
import { tinyGguf } from '../../stand-ins/engine/gguf/tiny-gguf.ts';

/** How a command ended. */
interface End {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** A user's folders, a full bundle of small images, and a Docker with a Compose plugin. */
export class PreviewRig {
  readonly docker: Dockerode;
  readonly bundle: string;
  readonly key: string;
  readonly #folder: string;
  readonly #socket: string;

  private constructor(folder: string, socket: string, bundle: HostBundle) {
    this.docker = new Dockerode({ socketPath: socket });
    this.bundle = join(bundle.dist, bundle.archive);
    this.key = bundle.path('release.pub');
    this.#folder = folder;
    this.#socket = socket;
  }

  static async start(
    folder: string,
    real: { readonly engine: string; readonly registry: string; readonly composePlugin: string },
  ): Promise<PreviewRig> {
    const plugins = join(folder, 'docker', 'cli-plugins');
    await mkdir(plugins, { recursive: true });
    await symlink(real.composePlugin, join(plugins, 'docker-compose'));
    const bundle = await HostBundle.shipped({
      folder: join(folder, 'build'),
      registry: real.registry,
      plugin: real.composePlugin,
      models: [
        { name: 'tiny:1b', bytes: tinyGguf(31) },
        { name: 'tiny-embedding:1b', role: 'embedding', bytes: tinyEmbeddingGguf(32) },
      ],
    });
    return new PreviewRig(folder, real.engine, bundle);
  }

  /** Returns a new folder of the user. */
  async newFolder(name: string): Promise<string> {
    await mkdir(join(this.#folder, name));
    return join(this.#folder, name);
  }

  /** Runs `landfall preview` with the bundle. */
  async preview(cwd: string, ...args: string[]): Promise<End> {
    return await this.run(cwd, this.bundle, '--key', this.key, ...args);
  }

  /** Runs `landfall preview --down`. */
  async down(cwd: string, ...args: string[]): Promise<End> {
    return await this.run(cwd, '--down', ...args);
  }

  async run(cwd: string, ...args: string[]): Promise<End> {
    const [command = '', ...first] = landfall;
    const { exitCode, stdout, stderr } = await execa(command, [...first, 'preview', ...args], {
      cwd,
      env: this.env,
      reject: false,
      stdin: 'ignore',
    });
    return { exitCode, stdout, stderr };
  }

  /** Starts `landfall preview` with the bundle on a pseudo-terminal. */
  onTerminal(cwd: string, ...args: string[]): TerminalRun {
    const words = [...landfall, 'preview', this.bundle, '--key', this.key, ...args];
    return inTerminal(words, { cwd, env: this.env, limit: 300_000 });
  }

  /** Folder of the user's state. */
  get state(): string {
    return join(this.#folder, 'state');
  }

  /** Returns the secrets of all previews. */
  async secrets(): Promise<Record<string, string>> {
    const folder = join(this.state, 'landfall', 'preview');
    const names = await readdir(folder);
    const texts = await Promise.all(
      names.map((name) => readFile(join(folder, name, 'preview.json'), 'utf8')),
    );
    const named = texts.flatMap((text, index) =>
      Object.entries<string>(JSON.parse(text).secrets).map(
        ([name, value]) => [`${names[index]} ${name}`, value] as const,
      ),
    );
    return Object.fromEntries(named);
  }

  get env(): Record<string, string> {
    return {
      DOCKER_HOST: `unix://${this.#socket}`,
      DOCKER_CONFIG: join(this.#folder, 'docker'),
      XDG_STATE_HOME: this.state,
    };
  }

  /** Returns the names of everything that belongs to the preview of a folder. */
  async namesOf(folder: string): Promise<string[]> {
    const { Volumes = [] } = await this.docker.listVolumes();
    const names = [
      ...(await this.docker.listContainers({ all: true })).flatMap(({ Names }) => Names),
      ...(await this.docker.listNetworks()).map(({ Name }) => Name),
      ...Volumes.map(({ Name }) => Name),
      ...(await this.docker.listImages({ all: true })).flatMap(({ RepoTags }) => RepoTags ?? []),
      ...(await this.#files()).map((name) => `folder-${name}`),
    ];
    return names.filter((name) => name.includes(`-${folder}-`));
  }

  /** Returns every object of Docker and the folder of every preview. */
  async everything(): Promise<object> {
    const images = await this.docker.listImages({ all: true });
    const { Volumes = [] } = await this.docker.listVolumes();
    return {
      containers: (await this.docker.listContainers({ all: true })).map(({ Id }) => Id).sort(),
      networks: (await this.docker.listNetworks()).map(({ Id }) => Id).sort(),
      volumes: Volumes.map(({ Name }) => Name).sort(),
      images: images.map(({ Id }) => Id).sort(),
      tags: images.flatMap(({ RepoTags, RepoDigests }) => [RepoTags, RepoDigests].flat()).sort(),
      files: await this.#files(),
    };
  }

  #files(): Promise<string[]> {
    return readdir(join(this.state, 'landfall', 'preview')).catch(() => []);
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }
}
