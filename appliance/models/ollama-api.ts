import { z } from 'zod';
import type { Site } from '#contract/site/site.ts';
import { TransferError } from '#http/transfer-error.ts';
import { jsonLines, type PullFailed, pullLine } from '../host/pull/pull-line.ts';
import { askEngine, askForText, truncated, unexpected } from '../ollama/exchange.ts';
import { type EngineModel, engineOrigin, listEngineModels } from '../ollama/models.ts';

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

const bytes = z.int().nonnegative();

/** Ollama omits `completed` if it is zero. Other fields are ignored. */
const progressSchema = z.object({
  status: z.string().min(1).max(1000),
  digest: z.string().max(200).optional(),
  total: bytes.optional(),
  completed: bytes.optional(),
});

/** A line of the response to `POST /api/pull`. */
type PullLine = z.infer<typeof progressSchema> | PullFailed;

/** Parses a line. @throws LandfallError MODEL_FAILED for an unexpected one */
export function readPullLine(value: unknown): PullLine {
  return pullLine(
    value,
    progressSchema,
    () =>
      new TransferError('MODEL_FAILED', 'Ollama returned an unexpected pull response', {
        hint: 'Use another release: its version of Ollama is not supported.',
        transient: false,
      }),
  );
}
