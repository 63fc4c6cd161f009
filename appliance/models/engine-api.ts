import type { Site } from '#contract/site/site.ts';
import { jsonLines } from '../host/pull/json-lines.ts';
import { askEngine, askForText, brokenOff, unexpected } from '../ollama/exchange.ts';
import { type EngineModel, engineOrigin, listEngineModels } from '../ollama/models.ts';
import { type PullLine, readPullLine } from './pull-line.ts';

/** Ollama's own API, as far as models come and go by it. It has no passwords. */
export class EngineApi {
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** The engine of this server, on loopback. */
  static of(site: Pick<Site, 'ports'>): EngineApi {
    return new EngineApi(engineOrigin(site));
  }

  /** What the engine has (SPEC 4, E1). @throws LandfallError STACK_UNHEALTHY, MODEL_FAILED */
  async list(): Promise<EngineModel[]> {
    return await listEngineModels(this.#origin);
  }

  /**
   * Pulls a model, and gives each line of progress. It ends when the engine does, which need not
   * mean that the model is there.
   * @param insecure whether its registry speaks plain HTTP
   * @throws LandfallError STACK_UNHEALTHY, MODEL_FAILED; the reason of the signal
   */
  async *pull(model: string, insecure: boolean, signal: AbortSignal): AsyncGenerator<PullLine> {
    const body = { model, stream: true, ...(insecure ? { insecure } : {}) };
    const asked = { method: 'POST', path: '/api/pull', body, signal } as const;
    const lines = jsonLines(askEngine(this.#origin, asked), { unexpected, brokenOff });
    for await (const line of lines) yield readPullLine(line);
  }

  /** Gives a model another name as well. @throws LandfallError STACK_UNHEALTHY, MODEL_FAILED */
  async copy(source: string, destination: string): Promise<void> {
    const body = { source, destination };
    await askForText(this.#origin, { method: 'POST', path: '/api/copy', body });
  }

  /**
   * Takes a name away, and what no other name uses.
   * @throws LandfallError STACK_UNHEALTHY, MODEL_FAILED; with status 404 where there is none
   */
  async remove(model: string): Promise<void> {
    await askForText(this.#origin, { method: 'DELETE', path: '/api/delete', body: { model } });
  }
}
