import { z } from 'zod';
import { type Answer, type Call, jsonOf } from './exchange.ts';
import { askPlace, placeOf } from './place.ts';
import { insideOf } from './smoke-test.ts';
import type { Target } from './target.ts';

const signedInSchema = z.object({ token: z.string().min(1), role: z.literal('admin') });

/** Asks Open WebUI, as a stranger or with a token of {@link signIn}. */
export async function askUi(
  target: Target,
  path: string,
  call: Call = {},
  token?: string,
): Promise<Answer> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { ...call.headers, ...authorization };
  return await askPlace(placeOf(target, 'ui'), path, { ...call, headers });
}

/** Signs the administrator in. @returns a token @throws Error when that is refused */
export async function signIn(target: Target): Promise<string> {
  const call = { method: 'POST', body: insideOf(target).administrator } as const;
  return signedInSchema.parse(jsonOf(await askUi(target, '/api/v1/auths/signin', call))).token;
}
