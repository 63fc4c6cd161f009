import { isSameModel, type ModelName, shortModelName } from '#contract/bundle/model-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { type ModelMirror, parseModelMirror } from '#contract/site/model-mirror.ts';
import { localModels } from '#contract/sizes/local-models.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { PullPace } from '../../server/host/pull/retry-pull.ts';
import { findListed, OllamaApi } from '../../server/ollama/ollama-api.ts';
import type { Context } from '../../server/stage/stage.ts';
import { bringModel } from './bring-model.ts';
import { fetchModel, sourceAt, sourcesOf } from './fetch-model.ts';
import { modelStates } from './public.ts';
import type { PullSource } from './pull-model.ts';

/**
 * Installs a model that the user names. A model of the release is installed in the version of the
 * release, from the bundle if possible. The mirror replaces that of the site and the model's own
 * registry (SPEC 4, "Pull a model").
 * @param mirror as typed by the user
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
    hint: {
      en: "Remove the mirror or the registry: a mirror replaces only Ollama's registry.",
      zh: '去掉镜像源或仓库名：镜像源只能代替 Ollama 的模型库。',
    },
  });
}

function readMirror(text: string): ModelMirror {
  const mirror = parseModelMirror(text);
  if (mirror) return mirror;
  throw new LandfallError(
    'USAGE',
    inLanguage({
      en: `${JSON.stringify(text)} is not a mirror`,
      zh: `${JSON.stringify(text)} 不是镜像源`,
    }),
    {
      hint: {
        en: 'Write it as https://mirror.example or https://mirror.example/library, or with http:// for plain HTTP.',
        zh: '写成 https://mirror.example 或 https://mirror.example/library；不加密时写 http://。',
      },
    },
  );
}

/**
 * Removes a model that the user names, with all blobs that no other model uses.
 * @returns whether the next first boot installs it again
 * @throws LandfallError USAGE with the installed models; STACK_UNHEALTHY, MODEL_FAILED
 */
export async function removeByHand(
  { site, release, server }: Pick<Context, 'site' | 'release' | 'server'>,
  name: ModelName,
): Promise<boolean> {
  const short = shortModelName(name);
  const ollama = OllamaApi.of(site);
  const listed = await ollama.list();
  const found = findListed(listed, short);
  if (!found) {
    throw new LandfallError(
      'USAGE',
      inLanguage({ en: `model not found: ${short}`, zh: `找不到模型：${short}` }),
      {
        hint:
          listed.length > 0
            ? `Use one of: ${listed.map((each) => each.name).join(', ')}.`
            : 'Run `sudo landfall models list`. No models are installed.',
      },
    );
  }
  await ollama.remove(found.name);
  return localModels(release, site, server).models.some((model) => isSameModel(model.name, short));
}
