import { z } from 'zod';
import { callEndpoint, endpointOf } from './endpoint.ts';
import { insideOf } from './smoke-test.ts';
import type { SmokeTarget } from './target.ts';

/** What a provider says about its key. `untested`: it has no list of models, or was not reached. */
type KeyVerdict = 'accepted' | 'refused' | 'untested';

const errorSchema = z.object({ error: z.object({ code: z.string() }) });
/** Milliseconds. */
const timeout = 15_000;

/**
 * Requests the models of a provider through the relay, which uses the stored key and the route of the
 * site. The request is free of charge.
 */
export async function tryProviderKey(target: SmokeTarget, provider: string): Promise<KeyVerdict> {
  const { secrets } = insideOf(target);
  const headers = { authorization: `Bearer ${secrets.RELAY_KEY_OWNER ?? ''}` };
  const path = `/${provider}/v1/models`;
  try {
    const answer = await callEndpoint(endpointOf(target, 'relay'), path, { headers, timeout });
    if (answer.status === 200) return 'accepted';
    const { error } = errorSchema.parse(JSON.parse(answer.text));
    return error.code === 'provider_key_refused' ? 'refused' : 'untested';
  } catch {
    return 'untested';
  }
}
