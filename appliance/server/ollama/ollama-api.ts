import { z } from 'zod';
import { type ModelName, shortModelName } from '#contract/bundle/model-name.ts';
import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { decodeUtf8, readAtMost } from '#contract/text/bytes.ts';
import { parseJson } from '#contract/text/json.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { type Digest, isDigest } from '#contract/trust/digest.ts';
import { TransferError } from '#http/transfer-error.ts';
import { Daemon } from '../host/daemon.ts';
import type { PullFailed } from '../host/pull/pull-line.ts';

/** Time limit for the response headers in milliseconds. Ollama may first read manifests from disk. */
const timeout = 60_000;
/** Size limit of a response in bytes, except for a pull. */
const maxAnswer = 8 << 20;
const seeLog = 'Check the logs: sudo docker logs --tail 50 landfall-engine';

export const ollama = new Daemon(
  'Ollama',
  { down: 'STACK_UNHEALTHY', invalid: 'MODEL_FAILED' },
  seeLog,
);

/** Returns Ollama's endpoint, which is on loopback because Ollama has no authentication. */
export function engineOrigin({ ports }: Pick<Site, 'ports'>): string {
  return `http://127.0.0.1:${ports.engine}`;
}

/** A client of Ollama's API for models. Its methods throw STACK_UNHEALTHY or MODEL_FAILED. */
export class OllamaApi {
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Returns a client for the Ollama of this server. */
  static of(site: Pick<Site, 'ports'>): OllamaApi {
    return new OllamaApi(engineOrigin(site));
  }

  /** Lists the installed models (SPEC 4, E1). */
  async list(): Promise<EngineModel[]> {
    return readModelList(await this.#text('GET', '/api/tags'));
  }

  /** Lists the installed models; undefined if Ollama does not run or sends an invalid response. */
  async listIfRunning(): Promise<EngineModel[] | undefined> {
    return await this.list().catch((error: unknown) => {
      if (error instanceof LandfallError) return undefined;
      throw error;
    });
  }

  /**
   * Returns what a model can do, such as `tools`; undefined if Ollama does not answer within two seconds, or
   * does not know it.
   */
  async capabilities(model: string): Promise<readonly string[] | undefined> {
    const text = this.#text('POST', '/api/show', { model }, 2000);
    const answer = await text.catch((error: unknown) => {
      if (error instanceof LandfallError) return undefined;
      throw error;
    });
    return shownSchema.safeParse(parseJson(answer ?? '')).data?.capabilities;
  }

  /**
   * Pulls a model and yields each line of progress. The end of the response does not imply success.
   * @param insecure whether its registry speaks plain HTTP
   * @throws LandfallError the reason of the signal
   */
  pull(model: string, insecure: boolean, signal: AbortSignal): AsyncGenerator<PullLine> {
    const body = { model, stream: true, ...(insecure ? { insecure } : {}) };
    return ollama.pullLines(this.#request('POST', '/api/pull', signal, body), pullProgress);
  }

  /** Adds a name to a model. */
  async copy(source: string, destination: string): Promise<void> {
    await this.#text('POST', '/api/copy', { source, destination });
  }

  /** Removes a name and the blobs that no other name uses; fails with status 404 for an unknown name. */
  async remove(model: string): Promise<void> {
    await this.#text('DELETE', '/api/delete', { model });
  }

  async #text(method: Method, path: string, body?: object, limit = timeout): Promise<string> {
    const chunks = this.#request(method, path, AbortSignal.timeout(limit), body);
    const bytes = await readAtMost(chunks, maxAnswer + 1);
    if (bytes.length > maxAnswer) throw ollama.unexpected('a response that is too large');
    return decodeUtf8(bytes);
  }

  #request(
    method: Method,
    path: string,
    signal: AbortSignal,
    body?: object,
  ): AsyncGenerator<Buffer> {
    return ollama.request(
      { connect: { timeout: 10_000 }, headersTimeout: timeout },
      {
        ...{ origin: this.#origin, method, path, signal },
        headers: { 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      },
      refused,
    );
  }
}

type Method = 'GET' | 'POST' | 'DELETE';

function refused(words: string, status: number): TransferError {
  return new TransferError('MODEL_FAILED', `Ollama rejected the request: ${plainLine(words)}`, {
    hint: seeLog,
    transient: status >= 500,
    status,
  });
}

const bytes = z.int().nonnegative();
/** Ollama omits `completed` if it is zero. Other fields are ignored. */
const pullProgress = z.object({
  status: z.string().min(1).max(1000),
  digest: z.string().max(200).optional(),
  total: bytes.optional(),
  completed: bytes.optional(),
});
/** A line of the response to `POST /api/pull`. */
type PullLine = z.infer<typeof pullProgress> | PullFailed;

/** A model that Ollama lists. */
export interface EngineModel {
  /** Short form, always with a tag. */
  readonly name: string;
  readonly digest: Digest;
  /** Bytes. */
  readonly size: number;
}

/** The fields of `GET /api/tags` that Landfall uses (SPEC 4, E1). */
const tagsSchema = z.object({
  models: z
    .array(
      z.object({
        name: z.string().min(1).max(600),
        size: z.int().nonnegative(),
        digest: z
          .string()
          .transform((hex) => `sha256:${hex}`)
          .refine((text): text is Digest => isDigest(text)),
      }),
    )
    .max(10_000),
});

/** The field of `POST /api/show` that Landfall uses. */
const shownSchema = z.object({ capabilities: z.array(z.string().max(100)).max(100) });

/** Parses the response to `GET /api/tags`. @throws LandfallError MODEL_FAILED */
export function readModelList(text: string): EngineModel[] {
  const parsed = tagsSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data.models;
  throw ollama.unexpected('an invalid list of models', parsed.error);
}

/**
 * Reports whether Ollama lists a model, with this manifest digest unless it is null. Names are
 * case-insensitive in Ollama.
 */
export function isListed(
  models: readonly EngineModel[],
  name: ModelName,
  manifest: string | null,
): boolean {
  const found = findListed(models, shortModelName(name));
  return found !== undefined && (manifest === null || found.digest === manifest);
}

/** Returns the listed model with this name in short form. */
export function findListed(models: readonly EngineModel[], name: string): EngineModel | undefined {
  return models.find((model) => model.name.toLowerCase() === name.toLowerCase());
}
