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

/** A session of the administrator. */
interface Session {
  readonly token: string;
  /** Whether the password of the server is outdated: it was changed in the chat UI. */
  readonly isOutdated: boolean;
}

/** Open sign-ins: the gateway and Open WebUI limit the number of sign-ins. */
const sessions = new WeakMap<SmokeTarget, Promise<Session>>();
/** Longest time to wait when the gateway rejects a sign-in as one too many. Milliseconds. */
const maxWait = 60_000;

/** Returns the token of {@link openSession}. */
export async function signIn(target: SmokeTarget, wait?: Wait): Promise<string> {
  return (await openSession(target, wait)).token;
}

type Wait = (ms: number) => Promise<unknown>;

/**
 * Signs in as the administrator, once for all tests of a target. If the chat UI rejects the password,
 * the server makes a session without it.
 * @param wait replaces the pause that the gateway asks for; milliseconds
 * @throws Error when the sign-in fails; the next call tries again
 */
export async function openSession(target: SmokeTarget, wait: Wait = sleep): Promise<Session> {
  const session = sessions.get(target) ?? newSession(target, wait);
  sessions.set(target, session);
  return await session.catch((error: unknown) => {
    sessions.delete(target);
    throw error;
  });
}

async function newSession(target: SmokeTarget, wait: Wait): Promise<Session> {
  const { administrator, session } = insideOf(target);
  const answer = await askToSignIn(target, administrator, wait);
  // Open WebUI 0.12, routers/auths.py: a wrong password.
  const token = answer.status === 400 ? await session?.() : undefined;
  return token === undefined
    ? { token: tokenIn(answer), isOutdated: false }
    : { token, isOutdated: true };
}

/** Signs in as any account. @returns a token @throws Error when the sign-in fails */
export async function signInAs(target: SmokeTarget, body: Credentials): Promise<string> {
  return tokenIn(await askToSignIn(target, body, sleep));
}

async function askToSignIn(target: SmokeTarget, body: Credentials, wait: Wait): Promise<Answer> {
  const ask = () => callUi(target, '/api/v1/auths/signin', { body });
  const answer = await ask();
  const pause = Number(answer.header('retry-after') ?? Number.NaN) * 1000;
  if (answer.status !== 429 || !(pause <= maxWait)) return answer;
  await wait(pause);
  return await ask();
}

const tokenIn = (answer: Answer) => signedInSchema.parse(jsonOf(answer)).token;
