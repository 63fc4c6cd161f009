import { modelSize } from '../bundle/model-files.ts';
import { isSameModel, parseModelName, shortModelName } from '../bundle/model-name.ts';
import type { Release, ReleaseModel } from '../bundle/release.ts';
import type { Site } from '../site/site.ts';
import { formatBytes } from '../text/amount.ts';
import { inLanguage, type Text } from '../text/language.ts';
import { alignRows } from '../text/table.ts';
import type { ServerSize } from './limits.ts';
import {
  type ContextSettings,
  contextOf,
  defaultContext,
  fitTogether,
  memoryFor,
  minContext,
  trainedContext,
} from './model-memory.ts';

/** The models of a release that are installed on a server. */
export interface LocalModels {
  readonly models: readonly ReleaseModel[];
  /** The first chat model. Undefined: this server has hosted models only. */
  readonly chat: ReleaseModel | undefined;
  /** The model of document search. Undefined: Open WebUI uses the one in its image. */
  readonly embedding: ReleaseModel | undefined;
  /** Why there is no chat model: the release has none, the site selects none, or none fits. */
  readonly hostedOnly: 'not-in-release' | 'not-wanted' | 'too-small' | undefined;
}

/** Larger models are slow on few CPUs (SPEC 8: a 7B-class model from 4 cores on). Bytes. */
const maxForFewCpus = 3e9;
const manyCpus = 4;

/** Returns the name under which Ollama lists a model. */
export function listedName({ name }: ReleaseModel): string {
  const parsed = parseModelName(name);
  return parsed ? shortModelName(parsed) : name;
}

/**
 * Selects the models of a server. The site may name them; otherwise the server gets the largest chat
 * model that it can run at a usable speed. An embedding model is always included: the one that the site
 * names, or else one that fits next to the chat model. Pure, so that every stage and the report agree.
 */
export function localModels(
  { models }: Pick<Release, 'models'>,
  site: Pick<Site, 'models'> & Partial<Pick<Site, 'language'>> & ContextSettings,
  server: ServerSize,
): LocalModels {
  const { models: wanted } = site;
  const named =
    wanted && models.filter(({ name }) => wanted.some((each) => isSameModel(name, each)));
  const ofRole = (role: ReleaseModel['role']) => models.filter((model) => model.role === role);
  const chats = named
    ? named.filter(({ role }) => role === 'chat')
    : bestOf(ofRole('chat'), ofRole('embedding').slice(0, 1), server, site);
  const embedding =
    named?.find(({ role }) => role === 'embedding') ??
    embeddingFor(ofRole('embedding'), chats, server, site);
  const [chat] = chats;
  return {
    models: models.filter((model) => model === embedding || chats.includes(model)),
    chat,
    embedding,
    hostedOnly: chat ? undefined : whyNone(ofRole('chat'), wanted),
  };
}

/**
 * Returns the largest model that is fast enough, or else the smallest that fits. A model without memory for the
 * default context is used only if there is no other; a model that was trained for less than the context of the
 * site is not used.
 */
function bestOf(
  models: readonly ReleaseModel[],
  embedding: readonly ReleaseModel[],
  server: ServerSize,
  site: ContextSettings,
): ReleaseModel[] {
  const fitting = (context: number) =>
    models
      .filter((model) => trainedContext(model) >= (site.context ?? 0))
      .filter((model) => fitTogether([model, ...embedding], server, context, site))
      .toSorted((one, other) => modelSize(other) - modelSize(one));
  const comfortable = fitting(site.context ?? defaultContext);
  const usable = comfortable.length > 0 ? comfortable : fitting(minContext);
  const best = usable.find((model) => !isSlow(model, server)) ?? usable.at(-1);
  return best ? [best] : [];
}

/**
 * Returns the last embedding model of the release that fits next to the chat models without making
 * their context short. The first one is small and for English. It is used on few CPUs, because reading
 * documents with a larger one takes much longer (docs/release/benchmark.md), unless the site is in Chinese.
 */
function embeddingFor(
  embeddings: readonly ReleaseModel[],
  chats: readonly ReleaseModel[],
  server: ServerSize,
  site: Partial<Pick<Site, 'language'>> & ContextSettings,
): ReleaseModel | undefined {
  const { language, context = defaultContext } = site;
  const fitting = (model: ReleaseModel) =>
    (server.cpus >= manyCpus || language === 'zh') &&
    (chats.length > 0 ? chats : [undefined]).every((chat) =>
      fitTogether(chat ? [chat, model] : [model], server, context, site),
    );
  return embeddings.findLast(fitting) ?? embeddings.at(0);
}

/** Returns whether a model is slow on the CPUs of a server. */
export function isSlow(model: ReleaseModel, { cpus }: Pick<ServerSize, 'cpus'>): boolean {
  return cpus < manyCpus && modelSize(model) > maxForFewCpus;
}

function whyNone(chats: readonly ReleaseModel[], names: Site['models']): LocalModels['hostedOnly'] {
  if (chats.length === 0) return 'not-in-release';
  return names ? 'not-wanted' : 'too-small';
}

/** Describes in the language of the process why a server has hosted models only; undefined with a chat model. */
export function describeHostedOnly({
  hostedOnly,
}: Pick<LocalModels, 'hostedOnly'>): string | undefined {
  return hostedOnly && inLanguage(hostedOnlyTexts[hostedOnly]);
}

/** Why a server has no chat model. */
export const hostedOnlyTexts: Readonly<Record<NonNullable<LocalModels['hostedOnly']>, Text>> = {
  'not-in-release': {
    en: 'hosted models only: the release has no chat model',
    zh: '只有云端模型：此版本不包含聊天模型',
  },
  'not-wanted': {
    en: 'hosted models only: the site names no chat model',
    zh: '只有云端模型：站点配置未选择聊天模型',
  },
  'too-small': {
    en: 'hosted models only: no chat model of the release fits this server',
    zh: '只有云端模型：内存放不下此版本的任何聊天模型',
  },
};

function needsMemory(size: string): Text {
  return { en: `about ${size} of memory`, zh: `约需内存 ${size}` };
}

/** Formats the list of models of a server, and the length of a conversation. */
export function describeModelChoice(
  chosen: LocalModels,
  server: ServerSize,
  site: ContextSettings = {},
): string {
  const hostedOnly = describeHostedOnly(chosen);
  const context = contextOf(chosen.models, server, site);
  return [
    inLanguage(
      chosen.chat
        ? {
            en: `Models of this server, with a context of ${context} tokens:`,
            zh: `这台服务器的模型，上下文 ${context} 个 token：`,
          }
        : { en: 'Models of this server:', zh: '这台服务器的模型：' },
    ),
    ...(hostedOnly ? [`    ${hostedOnly}`] : []),
    ...alignRows(
      chosen.models.map((model) => [
        `    ${model.name}`,
        inLanguage(needsMemory(formatBytes(memoryFor(model, context, server.slots, site)))),
      ]),
    ),
  ].join('\n');
}
