import { z } from 'zod';
import { readJson } from '#contract/text/json.ts';
import { callEndpoint, endpointOf } from '../endpoint.ts';
import { type Answer, type Call, jsonOf } from '../exchange.ts';
import { insideOf } from '../smoke-test.ts';
import type { SmokeTarget } from '../target.ts';

/** OpenAI's API: the fields that every provider returns (SPEC 4, E3 and E5). */
export const modelsSchema = z.object({ data: z.array(z.object({ id: z.string().min(1) })).min(1) });
const errorSchema = z.object({
  error: z.object({
    code: z.union([z.string(), z.number()]),
    details: z.array(z.object({ reason: z.string().optional() })).optional(),
  }),
});

const keyTimeout = 15_000;

export function listPath({ site }: SmokeTarget, provider: string): string {
  const version = site.providers[provider]?.api === 'gemini' ? 'v1beta' : 'v1';
  return `/${provider}/${version}/models`;
}

export function ownKey(target: SmokeTarget): string {
  return insideOf(target).secrets.RELAY_KEY_OWNER ?? '';
}

/** Sends a request to the relay with a key. */
export async function ask(
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

export function isKeyRefused({ text }: Answer): boolean {
  return codeOf(text) === 'provider_key_refused';
}

/** Returns the code of an error of the relay, in OpenAI's format or in Gemini's. */
export function codeOf(text: string): string | undefined {
  const error = readJson(errorSchema, text)?.error;
  return typeof error?.code === 'string' ? error.code : error?.details?.[0]?.reason;
}
