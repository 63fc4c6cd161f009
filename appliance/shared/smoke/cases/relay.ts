import { z } from 'zod';
import { likelyChatModels, modelsOf } from '#contract/known-providers.ts';
import { providerKeyName } from '#contract/site/key-names.ts';
import { isKeyless, openaiProviders } from '#contract/site/providers/provider-api.ts';
import { readJson } from '#contract/text/json.ts';
import { callEndpoint, endpointOf, whyNoEndpoint } from '../endpoint.ts';
import { type Answer, type Call, expectStatus, jsonOf } from '../exchange.ts';
import { insideOf, insideOnly, testsOf } from '../smoke-test.ts';
import type { SmokeTarget } from '../target.ts';

/** OpenAI's API: the fields that every provider returns (SPEC 4, E3 and E5). */
const modelsSchema = z.object({ data: z.array(z.object({ id: z.string().min(1) })).min(1) });
const chatSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});
const errorSchema = z.object({
  error: z.object({
    code: z.union([z.string(), z.number()]),
    details: z.array(z.object({ reason: z.string().optional() })).optional(),
  }),
});

/** Not a valid relay key on any server. */
const wrongKey = 'landfall-smoke-wrong-key';
/** Providers under load respond slowly. Milliseconds. */
const chatTimeout = 120_000;
const keyTimeout = 15_000;
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
            if (model !== undefined) note(`${provider} has no list of models; ${model} responds`);
          } else if (hasNoList(answer) && model === undefined) {
            note(`${provider} has no list of models; its key is not tested`);
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
      (target.site.relay.local ? undefined : 'relay.local is off'),
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
      throw new Error(`no model of ${provider} responds: ${refusals.join('; ')}`);
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
  if (names.length === 0) return 'the site has no provider';
  if (providersWithKey(target).length > 0) return undefined;
  return `no provider key is set: run sudo landfall secret set ${providerKeyName(names[0] ?? '')}`;
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
  return chatProviders(target).length > 0 ? undefined : "no provider with a key has OpenAI's API";
}

function listPath({ site }: SmokeTarget, provider: string): string {
  const version = site.providers[provider]?.api === 'gemini' ? 'v1beta' : 'v1';
  return `/${provider}/${version}/models`;
}

function ownKey(target: SmokeTarget): string {
  return insideOf(target).secrets.RELAY_KEY_OWNER ?? '';
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
      `${provider} has no list of models; name one in providers.${provider}.models of the site`,
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

async function ask(
  target: SmokeTarget,
  path: string,
  key: string,
  call: Call = {},
): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}` };
  return await callEndpoint(endpointOf(target, 'relay'), path, { ...call, headers });
}

/** What a provider says about its key. `untested`: it has no list of models, or was not reached. */
type KeyVerdict = 'accepted' | 'refused' | 'untested';

/**
 * Requests the models of a provider through the relay, which uses the stored key and the route of the
 * site. The request is free of charge.
 */
export async function tryProviderKey(target: SmokeTarget, provider: string): Promise<KeyVerdict> {
  const call = { timeout: keyTimeout };
  try {
    const answer = await ask(target, listPath(target, provider), ownKey(target), call);
    if (answer.status === 200) return 'accepted';
    return isKeyRefused(answer) ? 'refused' : 'untested';
  } catch {
    return 'untested';
  }
}

/**
 * Returns the models that the site names for a provider, but the provider's list lacks. Empty without a
 * list.
 */
export async function unlistedModels(target: SmokeTarget, provider: string): Promise<string[]> {
  const named = target.site.providers[provider]?.models ?? [];
  if (named.length === 0) return [];
  try {
    const answer = await ask(target, listPath(target, provider), ownKey(target), {
      timeout: keyTimeout,
    });
    const list = modelsSchema.safeParse(answer.status === 200 ? jsonOf(answer) : undefined).data;
    const listed = new Set(list?.data.map(({ id }) => id));
    return list === undefined ? [] : named.filter((name) => !listed.has(name));
  } catch {
    return [];
  }
}

function isKeyRefused({ text }: Answer): boolean {
  return codeOf(text) === 'provider_key_refused';
}

/** Returns the code of an error of the relay, in OpenAI's format or in Gemini's. */
function codeOf(text: string): string | undefined {
  const error = readJson(errorSchema, text)?.error;
  return typeof error?.code === 'string' ? error.code : error?.details?.[0]?.reason;
}

/** Returns the command that replaces a rejected key, as the end of a sentence. */
function remedyFor(provider: string, answer: Answer): string {
  if (!isKeyRefused(answer)) return '';
  return `; run: sudo landfall secret set ${providerKeyName(provider)}`;
}

/** Returns the status and the error code of the relay or provider, if there is one. */
function refusalOf({ status, text }: Answer): string {
  const code = codeOf(text);
  return code === undefined ? `status ${status}` : `status ${status}, ${code}`;
}
