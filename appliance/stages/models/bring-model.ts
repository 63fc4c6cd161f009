import { type ModelName, shortModelName } from '#contract/bundle/model-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { hintsOf, messageOf } from '#contract/text/chinese-errors.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { translated } from '#contract/text/translated.ts';
import type { Digest } from '#contract/trust/digest.ts';
import type { PullPace } from '../../server/host/pull/retry-pull.ts';
import { findListed, OllamaApi } from '../../server/ollama/ollama-api.ts';
import { needEngineStore } from '../../server/ollama/store.ts';
import type { Context } from '../../server/stage/stage.ts';
import { fetchModel, sourcesOf } from './fetch-model.ts';
import { layOutModel } from './lay-out-model.ts';
import { describeModel, type ModelState } from './public.ts';

type ModelContext = Omit<Context, 'server'>;

/** Describes the installation of a model in one sentence. */
export function describeBringing({ site }: Pick<Context, 'site'>, state: ModelState): string {
  const model = describeModel(state.model);
  if (state.carried !== undefined) {
    return inLanguage({ en: `import ${model} from the bundle`, zh: `从发布包导入 ${model}` });
  }
  const hosts = sourcesOf(state.name, site).map(({ host }) => host);
  return inLanguage({
    en: `pull ${model} from ${hosts.join(' or ')}`,
    zh: `从 ${hosts.join(' 或 ')} 下载 ${model}`,
  });
}

/**
 * Installs a model of the release: imports it from the bundle if it is there, otherwise pulls it.
 * @throws LandfallError MODEL_FAILED, BLOB_DIGEST, DISK_FULL, STACK_UNHEALTHY
 */
export async function bringModel(
  context: ModelContext,
  { model, name, carried }: ModelState,
  pace: PullPace = {},
): Promise<void> {
  if (carried === undefined) {
    return await fetchModel(context, sourcesOf(name, context.site), model, pace);
  }
  const { host, release, releaseFolder, report } = context;
  report.say(
    inLanguage({
      en: `importing ${describeModel(model)} from the bundle`,
      zh: `从发布包导入 ${describeModel(model)}`,
    }),
  );
  const layout = { host, release, releaseFolder, store: await needEngineStore(host) };
  await layOutModel(layout, name, carried, report);
  if (await isUnseen(context, name, carried)) await layOutModel(layout, name, carried, report);
}

/**
 * Removes another model that hides the imported one, with the blobs that both share. Newer versions of
 * Ollama store pulled models in another folder, which takes precedence. Skipped if Ollama is not
 * running; the stage checks its list later.
 * @returns whether a model was removed, so the import must be repeated
 */
async function isUnseen(
  { host, site }: ModelContext,
  name: ModelName,
  carried: Digest,
): Promise<boolean> {
  return await host.outside.measure(async () => {
    const ollama = OllamaApi.of(site);
    const listed = (await ollama.listIfRunning()) ?? [];
    const found = findListed(listed, shortModelName(name));
    if (!found || found.digest === carried) return false;
    await ollama.remove(found.name);
    return true;
  });
}

/**
 * Installs a model, and only warns if the administrator can continue later: no source has the model, or
 * the disk is full. A damaged release is still an error.
 */
export async function bringModelOrWarn(
  context: ModelContext,
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

function describeFailure({ model: { name } }: ModelState, error: LandfallError): Text {
  const { hint, problems } = error;
  const [detail] = problems;
  const cause = messageOf(error);
  const chinese = hintsOf(error, 'zh');
  return {
    en: [
      `${name} is not installed yet: ${cause.en}${detail ? ` (${detail.message})` : ''}.`,
      ...(hint ? [hint] : []),
      `Then run: sudo landfall models pull ${name}`,
    ].join(' '),
    zh: [
      `${name} 还没有安装：${cause.zh}${detail ? `（${translated(detail.message)}）` : ''}。`,
      chinese.advice ?? chinese.hint ?? '',
      `然后运行：sudo landfall models pull ${name}`,
    ].join(''),
  };
}
