import { type ModelName, shortModelName } from '#contract/bundle/model-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { type ModelMirror, parseModelMirror } from '#contract/site/model-mirror.ts';
import type { Context } from '../stage/stage.ts';
import { bringModel } from './bring-model.ts';
import { fetchModel, sourcesOf } from './fetch-model.ts';
import { modelStates } from './model-states.ts';
import type { PullPace } from './pull-model.ts';
import { type PullSource, sourceAt } from './pull-source.ts';

/**
 * Fetches a model that a person names. One of the release comes as the release has locked it, out of
 * the bundle where that carries it. A mirror that is named here takes the place of the site's and of
 * the model's own registry (SPEC 4, "Pull a model").
 * @param mirror as a person wrote it
 * @throws LandfallError USAGE, MODEL_FAILED, DISK_FULL, STACK_UNHEALTHY
 */
export async function pullByHand(
  context: Omit<Context, 'server'>,
  name: ModelName,
  mirror: string | undefined,
  pace: PullPace = {},
): Promise<void> {
  const short = shortModelName(name).toLowerCase();
  const named = (await modelStates(context)).find(
    (state) => shortModelName(state.name).toLowerCase() === short,
  );
  if (named && mirror === undefined) return await bringModel(context, named, pace);
  const sources =
    mirror === undefined ? sourcesOf(name, context.site) : [sourceAtMirror(name, mirror)];
  await fetchModel(context, sources, named?.model ?? { manifest: null, size: null }, pace);
}

function sourceAtMirror(name: ModelName, text: string): PullSource {
  const source = sourceAt(name, readMirror(text));
  if (source) return source;
  throw new LandfallError('USAGE', `${shortModelName(name)} names its own registry`, {
    hint: "A mirror stands for Ollama's registry alone. Leave out one of the two.",
  });
}

function readMirror(text: string): ModelMirror {
  const mirror = parseModelMirror(text);
  if (mirror) return mirror;
  throw new LandfallError('USAGE', `${JSON.stringify(text)} is no mirror`, {
    hint: 'Write it as https://mirror.example or https://mirror.example/library, with http:// where it speaks plain HTTP.',
  });
}
