import { z } from 'zod';
import { inLanguage } from '#contract/text/language.ts';
import { exchange, jsonOf } from './exchange.ts';
import { insideOf } from './smoke-test.ts';
import type { LockedModel, SmokeTarget } from './target.ts';
import type { UiModel } from './ui-models.ts';

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

/** Ollama's response to `POST /api/show`: the fields that the project relies on. */
const shownSchema = z.object({ capabilities: z.array(z.string()).max(100) });

type EngineModel = z.infer<typeof tagsSchema>['models'][number];

/** Returns the base URL of Ollama's API. @throws Error when the container is not running */
export function engineBase(target: SmokeTarget): string {
  const { engine } = insideOf(target);
  if (engine === undefined)
    throw new Error(
      inLanguage({ en: 'the inference engine is not running', zh: '推理引擎没有运行' }),
    );
  return engine;
}

/** Returns the models that Ollama lists. @throws Error when the response is invalid */
export async function engineModels(target: SmokeTarget): Promise<EngineModel[]> {
  return await modelsAt(engineBase(target));
}

async function modelsAt(base: string): Promise<EngineModel[]> {
  return tagsSchema.parse(jsonOf(await exchange(`${base}/api/tags`))).models;
}

/**
 * Returns every model of Ollama as the chat UI registers it.
 * @param base URL of Ollama's API
 * @throws Error when Ollama does not respond, or a response is invalid
 */
export async function describedModels(base: string): Promise<UiModel[]> {
  const listed = await modelsAt(base);
  return await Promise.all(
    listed.map(async ({ name }) => {
      const capabilities = await capabilitiesAt(base, name);
      const role = capabilities.includes('embedding') ? 'embedding' : 'chat';
      const can = (capability: string) => capabilities.includes(capability);
      return { name, role, thinks: can('thinking'), sees: can('vision') };
    }),
  );
}

/** Returns the models of the release. */
export function lockedModels(target: SmokeTarget): readonly LockedModel[] {
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
export async function modelNames(target: SmokeTarget): Promise<string[]> {
  const listed = await engineModels(target);
  const ofRelease = lockedModels(target).flatMap((locked) => modelOf(listed, locked)?.name ?? []);
  return [...new Set([...ofRelease, ...listed.map(({ name }) => name)])];
}

/** Returns whether a model generates text. Embedding models do not. */
export async function writesText(target: SmokeTarget, name: string): Promise<boolean> {
  return (await capabilitiesAt(engineBase(target), name)).includes('completion');
}

async function capabilitiesAt(base: string, name: string): Promise<string[]> {
  const answer = await exchange(`${base}/api/show`, { body: { model: name } });
  return shownSchema.parse(jsonOf(answer)).capabilities;
}
