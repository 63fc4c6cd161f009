import { z } from 'zod';
import { exchange, jsonOf } from './exchange.ts';
import { insideOf } from './smoke-test.ts';
import type { LockedModel, Target } from './target.ts';

/** What Ollama answers to `GET /api/tags` (SPEC 4, E1). Strict in what the project relies on. */
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

/** What Ollama answers to `POST /api/show`, as far as it matters here. */
const shownSchema = z.object({ capabilities: z.array(z.string()) });

type EngineModel = z.infer<typeof tagsSchema>['models'][number];

/** The base of the engine's API. @throws Error when it does not run */
export function engineBase(target: Target): string {
  const { engine } = insideOf(target);
  if (engine === undefined) throw new Error('the engine does not run');
  return engine;
}

/** The models that the engine lists. @throws Error when it answers anything else */
export async function engineModels(target: Target): Promise<EngineModel[]> {
  const answer = await exchange(`${engineBase(target)}/api/tags`);
  return tagsSchema.parse(jsonOf(answer)).models;
}

/** The models that the release names. */
export function lockedModels(target: Target): readonly LockedModel[] {
  return insideOf(target).models ?? [];
}

/** The listed model of a name. The engine does not tell capitals from small letters. */
export function modelOf(
  listed: readonly EngineModel[],
  { name }: Pick<LockedModel, 'name'>,
): EngineModel | undefined {
  return listed.find((model) => model.name.toLowerCase() === name.toLowerCase());
}

/** The names of the engine's models: those of the release first, then what its owner added. */
export async function modelNames(target: Target): Promise<string[]> {
  const listed = await engineModels(target);
  const ofRelease = lockedModels(target).flatMap((locked) => modelOf(listed, locked)?.name ?? []);
  return [...new Set([...ofRelease, ...listed.map(({ name }) => name)])];
}

/** Whether a model writes text, and does not only make embeddings of it. */
export async function writesText(target: Target, name: string): Promise<boolean> {
  const call = { method: 'POST', body: { model: name } } as const;
  const answer = await exchange(`${engineBase(target)}/api/show`, call);
  return shownSchema.parse(jsonOf(answer)).capabilities.includes('completion');
}
