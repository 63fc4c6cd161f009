import type { Client, ClientApi } from '#clients/client.ts';
import { tunnelTo, urlOf } from '#contract/site/endpoints.ts';
import { clientOf } from '#contract/site/relay/relay-settings.ts';
import type { ServerSize } from '#contract/sizes/limits.ts';
import { type LocalModels, listedName, localModels } from '#contract/sizes/local-models.ts';
import { type ContextSettings, contextOf } from '#contract/sizes/model-memory.ts';
import type { Text } from '#contract/text/language.ts';
import { OllamaApi } from '../../../../server/ollama/ollama-api.ts';
import type { Context } from '../../../../server/stage/stage.ts';
import { type LocalModel, type ServedApi, servedApis } from './served-apis.ts';

type Facts = Pick<Context, 'release' | 'server' | 'site'>;

/** An API of a client, and how the relay serves it. */
export interface ClientChoice {
  readonly api: ClientApi;
  /** What the client expects after the root of the API. */
  readonly suffix: string;
  readonly served: ServedApi;
}

/** What an administrator chooses instead of the default. */
interface Wanted {
  readonly api?: ClientApi | undefined;
  /** Name of the relay key. Default: that of the client. */
  readonly key?: string | undefined;
  readonly model?: string | undefined;
}

const noTerms = { providers: undefined, models: undefined };

/** Returns the preferred API of a client that the relay serves to a key; undefined if it serves none. */
export function apiOf(
  client: Client,
  { release, server, site }: Facts,
  { api: wanted, key = client.id, model }: Wanted = {},
): ClientChoice | undefined {
  const local = localModelOf(localModels(release, site, server), server, site);
  const entry = site.relay.keys.find((each) => clientOf(each) === key);
  const { providers, models } = typeof entry === 'object' ? entry : noTerms;
  const origin = urlOf(site, 'relay') ?? tunnelTo(site, 'relay').url;
  const served = servedApis(site, { origin, local, providers, models });
  for (const { api, suffix } of client.variants) {
    const found = served[api];
    if (!found || (wanted !== undefined && api !== wanted)) continue;
    const isLocal = model === local?.name && served.ollama !== undefined;
    const named =
      model === undefined ? {} : { model, context: isLocal ? local?.context : undefined };
    return { api, suffix, served: { ...found, ...named } };
  }
  return undefined;
}

/** Returns the chat model of a server; undefined if it has none. */
export function localModelOf(
  { chat, models }: LocalModels,
  server: ServerSize,
  settings: ContextSettings,
): LocalModel | undefined {
  return chat && { name: listedName(chat), context: contextOf(models, server, settings) };
}

/** The first message of an agent and some answers. Tokens. */
const agentContext = 32_768;

/** Returns what a local model lacks for an agent, each a sentence without a full stop. */
export async function lacksForAgents(
  { release, site, server }: Facts,
  model: string,
): Promise<{ readonly context?: Text; readonly tools?: Text }> {
  const context = contextOf(localModels(release, site, server).models, server, site);
  const capabilities = await OllamaApi.of(site).capabilities(model);
  const tooShort = {
    en: `the context of local models is ${context} tokens, and the first message of an agent has 10,000 to 30,000`,
    zh: `本地模型的上下文是 ${context} 个 token，而编程助手的第一条消息就有 1 万到 3 万个`,
  };
  const noTools = {
    en: `the model ${model} cannot call tools, so an agent can neither read nor edit files with it`,
    zh: `模型 ${model} 不支持工具调用，编程助手无法用它读写文件`,
  };
  return {
    ...(context < agentContext && { context: tooShort }),
    ...(capabilities?.includes('tools') === false && { tools: noTools }),
  };
}
