import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { callEndpoint, endpointOf } from './endpoint.ts';
import { type Answer, type Call, jsonOf } from './exchange.ts';
import { insideOf } from './smoke-test.ts';
import type { SmokeTarget } from './target.ts';

/** An account of Open WebUI. */
interface Credentials {
  readonly email: string;
  readonly password: string;
}

const signedInSchema = z.object({ token: z.string().min(1), role: z.enum(['admin', 'user']) });

/** Calls Open WebUI, anonymously or with a token of {@link signIn}. */
export async function callUi(
  target: SmokeTarget,
  path: string,
  call: Call = {},
  token?: string,
): Promise<Answer> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { ...call.headers, ...authorization };
  return await callEndpoint(endpointOf(target, 'ui'), path, { ...call, headers });
}

/** Open sign-ins and their tokens: the gateway and Open WebUI limit the number of sign-ins. */
const tokens = new WeakMap<SmokeTarget, Promise<string>>();
/** Longest time to wait when the gateway rejects a sign-in as one too many. Milliseconds. */
const maxWait = 60_000;

/**
 * Signs in as the administrator, once for all tests of a target.
 * @param wait replaces the pause that the gateway asks for; milliseconds
 * @returns a token
 * @throws Error when the sign-in fails; the next call tries again
 */
export async function signIn(
  target: SmokeTarget,
  wait: (ms: number) => Promise<unknown> = sleep,
): Promise<string> {
  const token = tokens.get(target) ?? signInAs(target, insideOf(target).administrator, wait);
  tokens.set(target, token);
  return await token.catch((error: unknown) => {
    tokens.delete(target);
    throw error;
  });
}

/** Signs in as any account. @returns a token @throws Error when the sign-in fails */
export async function signInAs(
  target: SmokeTarget,
  body: Credentials,
  wait: (ms: number) => Promise<unknown> = sleep,
): Promise<string> {
  const ask = () => callUi(target, '/api/v1/auths/signin', { body });
  const answer = await ask();
  const pause = Number(answer.header('retry-after') ?? Number.NaN) * 1000;
  if (answer.status !== 429 || !(pause <= maxWait)) return tokenIn(answer);
  await wait(pause);
  return tokenIn(await ask());
}

const tokenIn = (answer: Answer) => signedInSchema.parse(jsonOf(answer)).token;
