import { z } from 'zod';
import { callEndpoint, endpointOf } from './endpoint.ts';
import { type Answer, type Call, jsonOf } from './exchange.ts';
import { insideOf } from './smoke-test.ts';
import type { Target } from './target.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

const signedInSchema = z.object({ token: z.string().min(1), role: z.literal('admin') });

/** Calls Open WebUI, anonymously or with a token of {@link signIn}. */
export async function callUi(
  target: Target,
  path: string,
  call: Call = {},
  token?: string,
): Promise<Answer> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { ...call.headers, ...authorization };
  return await callEndpoint(endpointOf(target, 'ui'), path, { ...call, headers });
}

/** Tokens of the administrator, by target: Open WebUI allows few sign-ins per minute. */
const tokens = new WeakMap<Target, Promise<string>>();

/**
 * Signs in as the administrator, once per target.
 * @returns a token @throws Error when the sign-in fails
 */
export async function signIn(target: Target): Promise<string> {
  const token = tokens.get(target) ?? signInAs(target, insideOf(target).administrator);
  tokens.set(target, token);
  return await token;
}

async function signInAs(target: Target, body: Credentials): Promise<string> {
  const call = { method: 'POST', body } as const;
  return signedInSchema.parse(jsonOf(await callUi(target, '/api/v1/auths/signin', call))).token;
}
