import { z } from 'zod';
import { exchange, jsonOf } from './exchange.ts';
import { insideOf } from './smoke-test.ts';
import type { LockedModel, Target } from './target.ts';

/** Ollama's response to `GET /api/tags` (SPEC 4, E1): the fields that the project relies on. */
const tagsSchema = z.object({
  models: z.array(
    z.object({
      name: z.string().min(1),
      model: z.string().min(1),
      digest: z.string().regex(/^[0-9a-f]{64}$/),
      size: z.int().nonnegative(),
      modified_at: z.string(),
    }),
  ),
});

/** Ollama's response to `POST /api/show`: the fields that the tests use. */
const shownSchema = z.object({ capabilities: z.array(z.string()) });

type EngineModel = z.infer<typeof tagsSchema>['models'][number];

/** Returns the base URL of Ollama's API. @throws Error when the container is not running */
export function engineBase(target: Target): string {
  const { engine } = insideOf(target);
  if (engine === undefined) throw new Error('the inference engine is not running');
  return engine;
}

/** Returns the models that Ollama lists. @throws Error when the response is invalid */
export async function engineModels(target: Target): Promise<EngineModel[]> {
  const answer = await exchange(`${engineBase(target)}/api/tags`);
  return tagsSchema.parse(jsonOf(answer)).models;
}

/** Returns the models of the release. */
export function lockedModels(target: Target): readonly LockedModel[] {
  return insideOf(target).models ?? [];
}

/** Returns the listed model with a name. Ollama's names are case-insensitive. */
export function modelOf(
  listed: readonly EngineModel[],
  { name }: Pick<LockedModel, 'name'>,
): EngineModel | undefined {
  return listed.find((model) => model.name.toLowerCase() === name.toLowerCase());
}

/** Returns the names of Ollama's models: those of the release first, then the others. */
export async function modelNames(target: Target): Promise<string[]> {
  const listed = await engineModels(target);
  const ofRelease = lockedModels(target).flatMap((locked) => modelOf(listed, locked)?.name ?? []);
  return [...new Set([...ofRelease, ...listed.map(({ name }) => name)])];
}

/** Returns whether a model generates text. Embedding models do not. */
export async function writesText(target: Target, name: string): Promise<boolean> {
  const call = { method: 'POST', body: { model: name } } as const;
  const answer = await exchange(`${engineBase(target)}/api/show`, call);
  return shownSchema.parse(jsonOf(answer)).capabilities.includes('completion');
}
