import { type ModelName, shortModelName } from '#contract/bundle/model-name.ts';
import { LandfallError } from '#contract/errors.ts';
import type { Digest } from '#contract/trust/digest.ts';
import { engineOrigin, findListed, listIfRunning } from '../ollama/models.ts';
import { needEngineStore } from '../ollama/store.ts';
import type { Context } from '../stage/stage.ts';
import { EngineApi } from './engine-api.ts';
import { fetchModel, sourcesOf } from './fetch-model.ts';
import { layOutModel } from './lay-out-model.ts';
import { describeModel, type ModelState } from './model-states.ts';
import type { PullPace } from './pull-model.ts';

type Place = Omit<Context, 'server'>;

/** What bringing a model in would be, as one sentence. */
export function describeBringing({ site }: Pick<Context, 'site'>, state: ModelState): string {
  const model = describeModel(state.model);
  if (state.carried !== undefined) return `lay out ${model} from the bundle`;
  return `pull ${model} from ${sourcesOf(state.name, site)
    .map(({ host }) => host)
    .join(' or ')}`;
}

/**
 * Brings in a model of the release: what the bundle carries is laid out, the rest is pulled.
 * @throws LandfallError MODEL_FAILED, BLOB_DIGEST, DISK_FULL, STACK_UNHEALTHY
 */
export async function bringModel(
  context: Place,
  { model, name, carried }: ModelState,
  pace: PullPace = {},
): Promise<void> {
  if (carried === undefined) {
    return await fetchModel(context, sourcesOf(name, context.site), model, pace);
  }
  const { host, release, releaseFolder, report } = context;
  report.say(`laying out ${describeModel(model)} from the bundle`);
  const layout = { host, release, releaseFolder, store: await needEngineStore(host) };
  await layOutModel(layout, name, carried, report);
  if (await isUnseen(context, name, carried)) await layOutModel(layout, name, carried, report);
}

/**
 * Whether the engine goes on showing another model of the name. Newer versions keep what they have
 * pulled in another place, which counts before this one: then that model goes, with all that it
 * shares with ours. An engine that does not run is asked when the stage proves itself.
 */
async function isUnseen({ host, site }: Place, name: ModelName, carried: Digest): Promise<boolean> {
  return await host.outside.measure(async () => {
    const listed = (await listIfRunning(engineOrigin(site))) ?? [];
    const found = findListed(listed, shortModelName(name));
    if (!found || found.digest === carried) return false;
    await EngineApi.of(site).remove(found.name);
    return true;
  });
}

/**
 * The same, but what a person can go on with later is a warning: no place that has the model, or no
 * room for it. A release that is damaged stays an error.
 */
export async function bringModelOrWarn(
  context: Place,
  state: ModelState,
  pace: PullPace = {},
): Promise<void> {
  try {
    await bringModel(context, state, pace);
  } catch (error) {
    if (!(error instanceof LandfallError)) throw error;
    if (state.carried !== undefined && error.code !== 'DISK_FULL') throw error;
    const text = describeFailure(state, error);
    context.report.warn({ kind: 'model-missing', subject: state.model.name, text });
  }
}

function describeFailure(
  { model }: ModelState,
  { message, hint, problems }: LandfallError,
): string {
  const [detail] = problems;
  return [
    `${model.name} is not here yet: ${message}${detail ? ` (${detail.message})` : ''}.`,
    ...(hint ? [hint] : []),
    `Then go on with: sudo landfall models pull ${model.name}`,
  ].join(' ');
}
