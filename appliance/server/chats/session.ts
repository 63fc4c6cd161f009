import { createHmac } from 'node:crypto';
import type { Host } from '../host/host.ts';
import { chatFactsSchema, type DataOwner } from './chat-facts.ts';
import { runOnVolume, volumeFolder } from './sandbox.ts';

/**
 * Signs a session of an account: a JSON Web Token (RFC 7519) as Open WebUI signs it (utils/auth.py). The
 * type `automation` needs no second factor.
 */
export function signSession({ id, stamp }: DataOwner, secret: string): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const expires = Math.floor(Date.now() / 1000) + 600;
  const more = stamp === null ? {} : { session_stamp: stamp };
  const claims = encode({ id, typ: 'automation', exp: expires, ...more });
  const text = `${encode({ alg: 'HS256', typ: 'JWT' })}.${claims}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

/**
 * Returns a session of an administrator of the chat UI, for tests on a server whose administrator has
 * changed the password. Undefined if there is no such account.
 * @param releaseFolder absolute path
 * @param secret WEBUI_SECRET_KEY
 * @throws LandfallError COMMAND_FAILED
 */
export async function administratorSession(
  host: Host,
  releaseFolder: string,
  secret: string,
): Promise<string | undefined> {
  const folder = await volumeFolder(host, 'ui-data');
  if (!folder) return undefined;
  const printed = await runOnVolume(host, releaseFolder, 'facts', folder, 'session');
  const { administrator } = chatFactsSchema.parse(JSON.parse(printed));
  return administrator ? signSession(administrator, secret) : undefined;
}
