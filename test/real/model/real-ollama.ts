import Docker from 'dockerode';
import { vi } from 'vitest';
import { freePort } from '../../setup/free-port.ts';

export interface RealOllama {
  /** `http://host:port` */
  readonly origin: string;
  remove(): Promise<void>;
}

/**
 * Starts a real Ollama with one slot on a free port of loopback.
 * @param models the folder of its models, which may get more while it runs
 * @param context tokens
 */
export async function startOllama(
  socketPath: string,
  image: string,
  models: string,
  context: number,
): Promise<RealOllama> {
  const port = await freePort();
  const container = await new Docker({ socketPath }).createContainer({
    Image: image,
    Env: [
      ...[`OLLAMA_HOST=127.0.0.1:${port}`, 'OLLAMA_MODELS=/models', 'OLLAMA_NUM_PARALLEL=1'],
      `OLLAMA_CONTEXT_LENGTH=${context}`,
    ],
    HostConfig: { NetworkMode: 'host', Binds: [`${models}:/models`] },
  });
  await container.start();
  const origin = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => fetch(origin), { timeout: 60_000, interval: 200 });
  return { origin, remove: async () => await container.remove({ force: true }) };
}
