import { z } from 'zod';
import { likelyChatModels, modelsOf } from '#contract/known-providers.ts';
import { providerKeyName } from '#contract/site/key-names.ts';
import { isKeyless, openaiProviders } from '#contract/site/providers/provider-api.ts';
import { inLanguage } from '#contract/text/language.ts';
import { callEndpoint, endpointOf, whyNoEndpoint } from '../endpoint.ts';
import { type Answer, expectStatus, jsonOf } from '../exchange.ts';
import { insideOf, insideOnly, testsOf } from '../smoke-test.ts';
import type { SmokeTarget } from '../target.ts';
import { ask, codeOf, isKeyRefused, listPath, modelsSchema, ownKey } from './relay-requests.ts';

/** OpenAI's API: the fields that every provider returns (SPEC 4, E3 and E5). */
const chatSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});
/** Not a valid relay key on any server. */
const wrongKey = 'landfall-smoke-wrong-key';
/** Providers under load respond slowly. Milliseconds. */
const chatTimeout = 120_000;
/** Maximum number of models to try: the list does not say which of them are chat models. */
const maxTries = 4;

export const relayTests = testsOf('relay', [
  {
    name: 'relay-wrong-key',
    title: 'the relay rejects requests without a valid key',
    chinese: '中继拒绝没有有效密钥的请求',
    isUnsafe: true,
    run: async (target) => {
      expectStatus(await callEndpoint(endpointOf(target, 'relay'), '/v1/models'), 401);
      expectStatus(await ask(target, '/v1/models', wrongKey), 401);
    },
  },
  {
    name: 'relay-models',
    title: 'the relay reaches every provider, and its keys are valid',
    chinese: '中继能访问每个模型服务商，密钥有效',
    needsOthers: true,
    notFor: needsProvider,
    run: async (target, note) => {
      const found = await Promise.all(
        providersWithKey(target).map(async (provider) => {
          const list = await ask(target, listPath(target, provider), ownKey(target));
          const [model] = hasNoList(list) ? namedModels(target, provider) : [];
          const answer = model === undefined ? list : await chat(target, provider, model);
          if (answer.status === 200) {
            if (model !== undefined)
              note(
                inLanguage({
                  en: `${provider} has no list of models; ${model} responds`,
                  zh: `${provider} 没有模型列表；${model} 有回答`,
                }),
              );
          } else if (hasNoList(answer) && model === undefined) {
            note(
              inLanguage({
                en: `${provider} has no list of models; its key is not tested`,
                zh: `${provider} 没有模型列表；没有测试它的密钥`,
              }),
            );
          } else return [`${provider}: ${refusalOf(answer)}${remedyFor(provider, answer)}`];
          return [];
        }),
      );
      if (found.flat().length > 0) throw new Error(found.flat().join('; '));
    },
  },
  {
    name: 'relay-local',
    title: 'the relay serves the local models',
    chinese: '中继能提供本地模型',
    notFor: (target) =>
      whyNoEndpoint(target, 'relay') ??
      insideOnly(target) ??
      (target.site.relay.local
        ? undefined
        : inLanguage({ en: 'relay.local is off', zh: 'relay.local 没有启用' })),
    run: async (target) => {
      expectStatus(await ask(target, '/local/api/version', ownKey(target)), 200);
    },
  },
  {
    name: 'relay-chat',
    title: 'a hosted model responds through the relay',
    chinese: '云端模型能通过中继回答',
    needsOthers: true,
    notFor: (target) => needsProvider(target) ?? whyNoChat(target),
    run: async (target) => {
      const [provider = ''] = chatProviders(target);
      const refusals: string[] = [];
      for (const model of await chatModels(target, provider)) {
        const answer = await chat(target, provider, model);
        if (answer.status === 200) return void chatSchema.parse(jsonOf(answer));
        refusals.push(`${model}: ${refusalOf(answer)}`);
      }
      throw new Error(
        inLanguage({
          en: `no model of ${provider} responds: ${refusals.join('; ')}`,
          zh: `${provider} 的模型都没有回答：${refusals.join('；')}`,
        }),
      );
    },
  },
]);

/** Returns why no hosted model can be tested: relay keys and provider keys are on the server only. */
export function needsProvider(target: SmokeTarget): string | undefined {
  return whyNoEndpoint(target, 'relay') ?? insideOnly(target) ?? whyNoProvider(target);
}

/** Returns why no provider can be used; undefined when one can. */
export function whyNoProvider(target: SmokeTarget): string | undefined {
  const names = Object.keys(target.site.providers);
  if (names.length === 0)
    return inLanguage({ en: 'the site has no provider', zh: '站点没有模型服务商' });
  if (providersWithKey(target).length > 0) return undefined;
  return inLanguage({
    en: `no provider key is set: run sudo landfall secret set ${providerKeyName(names[0] ?? '')}`,
    zh: `没有设置模型服务商的密钥：请运行 sudo landfall secret set ${providerKeyName(names[0] ?? '')}`,
  });
}

function providersWithKey(target: SmokeTarget): string[] {
  const { secrets } = insideOf(target);
  return Object.entries(target.site.providers)
    .filter(([name, settings]) => secrets[providerKeyName(name)] || isKeyless(settings))
    .map(([name]) => name);
}

/** Returns the usable providers with OpenAI's API, which the chat UI and the front-ends need. */
function chatProviders(target: SmokeTarget): string[] {
  const names = new Set(openaiProviders(target.site).map(([name]) => name));
  return providersWithKey(target).filter((name) => names.has(name));
}

/** Returns why no hosted model can chat with OpenAI's API; undefined when one can. */
export function whyNoChat(target: SmokeTarget): string | undefined {
  return chatProviders(target).length > 0
    ? undefined
    : inLanguage({
        en: "no provider with a key has OpenAI's API",
        zh: '有密钥的模型服务商都不支持 OpenAI 的 API',
      });
}

/** Some providers have no list of models, and OpenAI's API does not require one. */
function hasNoList({ status }: Answer): boolean {
  return status === 404 || status === 405 || status === 501;
}

function namedModels({ site }: SmokeTarget, provider: string): readonly string[] {
  const settings = site.providers[provider];
  return settings ? modelsOf(provider, settings) : [];
}

/** Returns models to try: those of its list, else those of the site or of a known provider. */
async function chatModels(target: SmokeTarget, provider: string): Promise<readonly string[]> {
  const answer = await ask(target, `/${provider}/v1/models`, ownKey(target));
  if (hasNoList(answer)) {
    const named = namedModels(target, provider);
    if (named.length > 0) return named.slice(0, maxTries);
    throw new Error(
      inLanguage({
        en: `${provider} has no list of models; name one in providers.${provider}.models of the site`,
        zh: `${provider} 没有模型列表；请在站点的 providers.${provider}.models 中写出一个`,
      }),
    );
  }
  const { data } = modelsSchema.parse(jsonOf(answer));
  return likelyChatModels(data.map(({ id }) => id)).slice(0, maxTries);
}

/** Sets no token limit: providers name the field differently and reject unknown names. */
async function chat(target: SmokeTarget, provider: string, model: string): Promise<Answer> {
  const messages = [{ role: 'user', content: 'Answer with one word: hello.' }];
  const call = { body: { model, messages }, timeout: chatTimeout };
  return await ask(target, `/${provider}/v1/chat/completions`, ownKey(target), call);
}

/** Returns the command that replaces a rejected key, as the end of a sentence. */
function remedyFor(provider: string, answer: Answer): string {
  if (!isKeyRefused(answer)) return '';
  return inLanguage({
    en: `; run: sudo landfall secret set ${providerKeyName(provider)}`,
    zh: `；请运行：sudo landfall secret set ${providerKeyName(provider)}`,
  });
}

/** Returns the status and the error code of the relay or provider, if there is one. */
function refusalOf({ status, text }: Answer): string {
  const code = codeOf(text);
  const more = code === undefined ? '' : `, ${code}`;
  return inLanguage({ en: `status ${status}${more}`, zh: `状态 ${status}${more}` });
}
