import { z } from 'zod';
import { type ModelName, shortModelName } from '#contract/bundle/model-name.ts';
import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { type Digest, isDigest } from '#contract/trust/digest.ts';
import { askForText, unexpected } from './exchange.ts';

/** A model that the engine lists. */
export interface EngineModel {
  /** In its shortest form, the tag always there. */
  readonly name: string;
  readonly digest: Digest;
  /** Bytes. */
  readonly size: number;
}

/**
 * Whether an engine lists a model, and with this digest where there is one. It does not tell
 * capitals from small letters.
 */
export function isListed(
  models: readonly EngineModel[],
  name: ModelName,
  manifest: string | null,
): boolean {
  const found = findListed(models, shortModelName(name));
  return found !== undefined && (manifest === null || found.digest === manifest);
}

/** The model of this name, in its shortest form. */
export function findListed(models: readonly EngineModel[], name: string): EngineModel | undefined {
  return models.find((model) => model.name.toLowerCase() === name.toLowerCase());
}

/** What is relied on of `GET /api/tags` (SPEC 4, E1). */
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

/** Where the engine answers on this server. It has no passwords, so it is on loopback alone. */
export function engineOrigin({ ports }: Pick<Site, 'ports'>): string {
  return `http://127.0.0.1:${ports.engine}`;
}

/** The models that the engine has (SPEC 4, E1). @throws LandfallError STACK_UNHEALTHY, MODEL_FAILED */
export async function listEngineModels(origin: string): Promise<EngineModel[]> {
  return readModelList(await askForText(origin, { method: 'GET', path: '/api/tags' }));
}

/** The same; nothing while the engine does not run, or answers something else. */
export async function listIfRunning(origin: string): Promise<EngineModel[] | undefined> {
  try {
    return await listEngineModels(origin);
  } catch (error) {
    if (error instanceof LandfallError) return undefined;
    throw error;
  }
}

/** Reads what the engine answers to `GET /api/tags`. @throws LandfallError MODEL_FAILED */
export function readModelList(text: string): EngineModel[] {
  const parsed = tagsSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data.models;
  throw unexpected('another list of models than expected', parsed.error);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
