import { z } from 'zod';
import { type ModelName, shortModelName } from '#contract/bundle/model-name.ts';
import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { parseJson } from '#contract/text/json.ts';
import { type Digest, isDigest } from '#contract/trust/digest.ts';
import { askForText, unexpected } from './exchange.ts';

/** A model that Ollama lists. */
export interface EngineModel {
  /** Short form, always with a tag. */
  readonly name: string;
  readonly digest: Digest;
  /** Bytes. */
  readonly size: number;
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

/** Returns Ollama's endpoint, which is on loopback because Ollama has no authentication. */
export function engineOrigin({ ports }: Pick<Site, 'ports'>): string {
  return `http://127.0.0.1:${ports.engine}`;
}

/** Lists Ollama's models (SPEC 4, E1). @throws LandfallError STACK_UNHEALTHY, MODEL_FAILED */
export async function listEngineModels(origin: string): Promise<EngineModel[]> {
  return readModelList(await askForText(origin, { method: 'GET', path: '/api/tags' }));
}

/** Lists Ollama's models; undefined if Ollama does not run or sends an invalid response. */
export async function listIfRunning(origin: string): Promise<EngineModel[] | undefined> {
  try {
    return await listEngineModels(origin);
  } catch (error) {
    if (error instanceof LandfallError) return undefined;
    throw error;
  }
}

/** Parses the response to `GET /api/tags`. @throws LandfallError MODEL_FAILED */
export function readModelList(text: string): EngineModel[] {
  const parsed = tagsSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data.models;
  throw unexpected('an invalid list of models', parsed.error);
}
