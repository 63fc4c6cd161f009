import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Ollama } from 'ollama';
import { modelBlobPath } from '#contract/bundle/bundle-paths.ts';
import type { Release } from '#contract/bundle/release.ts';
import { type Digest, digestOf } from '#contract/trust/digest.ts';
import { contextFor, type TestContext } from '../../appliance/context.ts';
import { TemporaryHost } from '../../appliance/temporary-host.ts';
import type { ModelFiles } from '../../stand-ins/engine/models/put-tiny-model.ts';
import { type EngineProcess, startEngineProcess } from './engine-process.ts';

const volume = '/var/lib/docker/volumes/landfall_engine-data/_data';
/** Ollama's folder of models on the host. */
export const store = `${volume}/models`;

/** A server whose inference engine implements Ollama's API and runs llama.cpp on its own store. */
export class EngineMachine {
  readonly host: TemporaryHost;
  readonly client: Ollama;
  readonly port: number;
  readonly #engine: EngineProcess;

  private constructor(host: TemporaryHost, engine: EngineProcess) {
    this.host = host;
    this.#engine = engine;
    this.port = engine.port;
    this.client = new Ollama({ host: engine.url });
  }

  /**
   * @param llama path of llama.cpp's native module
   * @param registry address that `registry.ollama.ai` maps to
   */
  static async start(llama: string, registry?: string): Promise<EngineMachine> {
    const host = TemporaryHost.with({}, { 'docker volume inspect': `${volume}\n` });
    const engine = await startEngineProcess({
      OLLAMA_MODELS: host.path(store),
      LANDFALL_LLAMA: llama,
      ...(registry && { LANDFALL_MODEL_REGISTRY: registry }),
    });
    return new EngineMachine(host, engine);
  }

  context(release: Partial<Release>, site: Record<string, unknown> = {}): TestContext {
    const context = contextFor(this.host, {
      site: { ports: { engine: this.port }, ...site },
      release,
    });
    return { ...context, releaseFolder: this.host.path('release') };
  }

  async close(): Promise<void> {
    await this.#engine.stop();
  }
}

/** A model, in the form of a release. */
export function lockedModel(
  name: string,
  { manifest, blobs }: ModelFiles,
): Release['models'][number] {
  const size = [...blobs.values()].reduce((sum, { length }) => sum + length, 0);
  return { name, role: 'chat', manifest: digestOf(manifest), size };
}

/** Writes a model to the folder where the bootstrap unpacks it. Returns the list of files. */
export function unpack(host: TemporaryHost, { manifest, blobs }: ModelFiles): Release['files'] {
  return [manifest, ...blobs.values()].map((bytes) => {
    const path = modelBlobPath(digestOf(bytes));
    mkdirSync(dirname(host.path('release', path)), { recursive: true });
    writeFileSync(host.path('release', path), bytes);
    const sha256 = digestOf(bytes).slice('sha256:'.length);
    return { path, size: bytes.length, sha256, offset: 512, executable: false };
  });
}

/** Returns the largest blob of a model. */
export const weightsOf = ({ blobs }: ModelFiles): [Digest, Buffer] => {
  const [max] = [...blobs].sort(([, one], [, other]) => other.length - one.length);
  if (!max) throw new Error('the model has blobs');
  return [max[0] as Digest, max[1]];
};
