import type { Site } from '#contract/site/site.ts';
import { jsonLines } from '../host/pull/pull-line.ts';
import { askEngine, askForText, truncated, unexpected } from '../ollama/exchange.ts';
import { type EngineModel, engineOrigin, listEngineModels } from '../ollama/models.ts';
import { type PullLine, readPullLine } from './pull-line.ts';

/** A client of Ollama's API for models. The API has no authentication. */
export class OllamaApi {
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Returns a client for the Ollama of this server, on loopback. */
  static of(site: Pick<Site, 'ports'>): OllamaApi {
    return new OllamaApi(engineOrigin(site));
  }

  /** Lists the installed models (SPEC 4, E1). @throws LandfallError STACK_UNHEALTHY, MODEL_FAILED */
  async list(): Promise<EngineModel[]> {
    return await listEngineModels(this.#origin);
  }

  /**
   * Pulls a model and yields each line of progress. The end of the response does not imply success.
   * @param insecure whether its registry speaks plain HTTP
   * @throws LandfallError STACK_UNHEALTHY, MODEL_FAILED; the reason of the signal
   */
  async *pull(model: string, insecure: boolean, signal: AbortSignal): AsyncGenerator<PullLine> {
    const body = { model, stream: true, ...(insecure ? { insecure } : {}) };
    const asked = { method: 'POST', path: '/api/pull', body, signal } as const;
    const lines = jsonLines(askEngine(this.#origin, asked), { unexpected, truncated });
    for await (const line of lines) yield readPullLine(line);
  }

  /** Adds a name to a model. @throws LandfallError STACK_UNHEALTHY, MODEL_FAILED */
  async copy(source: string, destination: string): Promise<void> {
    const body = { source, destination };
    await askForText(this.#origin, { method: 'POST', path: '/api/copy', body });
  }

  /**
   * Removes a name and the blobs that no other name uses.
   * @throws LandfallError STACK_UNHEALTHY, MODEL_FAILED; with status 404 if there is no such name
   */
  async remove(model: string): Promise<void> {
    await askForText(this.#origin, { method: 'DELETE', path: '/api/delete', body: { model } });
  }
}
