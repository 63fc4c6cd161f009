import { z } from 'zod';
import { providerKeyName } from '#contract/site/provider-key-name.ts';
import { type Answer, expectStatus, jsonOf } from '../exchange.ts';
import { askPlace, placeOf, whyNoPlace } from '../place.ts';
import { insideOf, insideOnly, type SmokeTest } from '../smoke-test.ts';
import type { Target } from '../target.ts';

/** OpenAI's API, as far as every provider keeps to it (SPEC 4, E3 and E5). */
const modelsSchema = z.object({ data: z.array(z.object({ id: z.string().min(1) })).min(1) });
const chatSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});
const errorSchema = z.object({ error: z.object({ code: z.string() }) });

const lookAt =
  "sudo docker logs --tail 50 landfall-relay; a provider's key is set anew by: sudo landfall secret set NAME_API_KEY";
/** What a key of this relay never looks like. */
const wrongKey = 'landfall-smoke-wrong-key';
/** A provider under load takes its time. Milliseconds. */
const chatPatience = 120_000;
/** By their names, models that do something else than chat. */
const otherKinds =
  /embed|whisper|tts|speech|audio|realtime|transcri|image|dall-e|sora|moderation|rerank/i;
/** How many models are tried: which of them chat, no list tells for sure. */
const mostTries = 4;

export const relayTests: readonly SmokeTest[] = [
  {
    name: 'relay-wrong-key',
    title: 'the relay refuses who has no key and who has a wrong one',
    lookAt: `${lookAt}; until it does, stop it: sudo docker stop landfall-relay`,
    notFor: (target) => whyNoPlace(target, 'relay'),
    run: async (target) => {
      expectStatus(await askPlace(placeOf(target, 'relay'), '/v1/models'), 401);
      expectStatus(await ask(target, '/v1/models', wrongKey), 401);
    },
  },
  {
    name: 'relay-models',
    title: 'the relay reaches every provider and knows its key',
    needsOthers: true,
    lookAt,
    notFor: needsProvider,
    run: async (target) => {
      const found = await Promise.all(
        providersWithKey(target).map(async (provider) => {
          const answer = await ask(target, `/${provider}/v1/models`, ownKey(target));
          return answer.status === 200 ? [] : [`${provider}: ${refusalOf(answer)}`];
        }),
      );
      if (found.flat().length > 0) throw new Error(found.flat().join('; '));
    },
  },
  {
    name: 'relay-chat',
    title: 'a hosted model answers through the relay',
    needsOthers: true,
    lookAt,
    notFor: needsProvider,
    run: async (target) => {
      const [provider = ''] = providersWithKey(target);
      const refusals: string[] = [];
      for (const model of await chatModels(target, provider)) {
        const answer = await chat(target, provider, model);
        if (answer.status === 200) return void chatSchema.parse(jsonOf(answer));
        refusals.push(`${model}: ${refusalOf(answer)}`);
      }
      throw new Error(`no model of ${provider} answers: ${refusals.join('; ')}`);
    },
  },
];

/** The relay key is on the server alone, and the providers' keys are their owner's to set. */
export function needsProvider(target: Target): string | undefined {
  return whyNoPlace(target, 'relay') ?? insideOnly(target) ?? whyNoProvider(target);
}

/** Why no provider can be asked; undefined when one can. */
export function whyNoProvider(target: Target): string | undefined {
  const names = Object.keys(target.site.providers);
  if (names.length === 0) return 'the site has no provider';
  if (providersWithKey(target).length > 0) return undefined;
  return `no provider has a key yet: sudo landfall secret set ${providerKeyName(names[0] ?? '')}`;
}

function providersWithKey(target: Target): string[] {
  const { secrets } = insideOf(target);
  return Object.keys(target.site.providers).filter((name) => secrets[providerKeyName(name)]);
}

function ownKey(target: Target): string {
  return insideOf(target).secrets.RELAY_KEY_OWNER ?? '';
}

async function chatModels(target: Target, provider: string): Promise<string[]> {
  const answer = await ask(target, `/${provider}/v1/models`, ownKey(target));
  const { data } = modelsSchema.parse(jsonOf(answer));
  const names = data.map(({ id }) => id);
  const likely = names.filter((name) => !otherKinds.test(name));
  return (likely.length > 0 ? likely : names).slice(0, mostTries);
}

/** No limit of tokens: providers call it by several names, and refuse those of others. */
async function chat(target: Target, provider: string, model: string): Promise<Answer> {
  return await askPlace(placeOf(target, 'relay'), `/${provider}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ownKey(target)}` },
    body: { model, messages: [{ role: 'user', content: 'Answer with one word: hello.' }] },
    patience: chatPatience,
  });
}

async function ask(target: Target, path: string, key: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}` };
  return await askPlace(placeOf(target, 'relay'), path, { headers });
}

/** The relay's code or the provider's, where the answer has one. */
function refusalOf({ status, text }: Answer): string {
  try {
    return `status ${status}, ${errorSchema.parse(JSON.parse(text)).error.code}`;
  } catch {
    return `status ${status}`;
  }
}
