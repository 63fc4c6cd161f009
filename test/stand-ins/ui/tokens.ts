import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

/** The claims that the UI reads. */
export interface Claims {
  readonly id: string;
  /** Absent: session. */
  readonly typ?: string;
  /** Must be that of the account; ends the sessions of an account when it changes. */
  readonly session_stamp?: string | null;
  /** Seconds since 1970. */
  readonly exp?: number;
  readonly iat?: number;
}

/** Creates a JSON Web Token (RFC 7519) for a user, signed with the UI's secret key. */
export function signToken(
  user: { readonly id: string; readonly session_stamp: string | null },
  key: string,
): string {
  const head = encoded({ alg: 'HS256', typ: 'JWT' });
  const { id, session_stamp } = user;
  const own = { id, typ: 'session', auth_method: 'password', session_stamp, mfa_verified: false };
  const body = encoded({ ...own, jti: randomUUID(), iat: Math.floor(Date.now() / 1000) });
  return `${head}.${body}.${signature(`${head}.${body}`, key)}`;
}

/**
 * Returns the claims of a token that this key signed. As in Open WebUI 0.12.4 (utils/auth.py),
 * `exp`, `iat` and `jti` may be absent.
 */
export function readToken(token: string, key: string): Claims | undefined {
  const [head = '', body = '', given = ''] = token.split('.');
  const expected = Buffer.from(signature(`${head}.${body}`, key));
  const actual = Buffer.from(given);
  if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return undefined;
  if (decoded<{ alg?: string }>(head).alg !== 'HS256') return undefined;
  const claims = decoded<Partial<Claims>>(body);
  const now = Date.now() / 1000;
  const isCurrent = (claims.exp ?? Number.POSITIVE_INFINITY) > now && (claims.iat ?? 0) <= now;
  return claims.id !== undefined && isCurrent ? { ...claims, id: claims.id } : undefined;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decoded<T>(text: string): T {
  return JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as T;
}

function signature(text: string, key: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
