import { createHmac, timingSafeEqual } from 'node:crypto';

/** Creates a JSON Web Token (RFC 7519) for a user, signed with the UI's secret key. */
export function signToken(id: string, key: string): string {
  const head = encoded({ alg: 'HS256', typ: 'JWT' });
  const body = encoded({ id, iat: Math.floor(Date.now() / 1000) });
  return `${head}.${body}.${signature(`${head}.${body}`, key)}`;
}

/** Returns the user of a token that this key signed. */
export function readToken(token: string, key: string): string | undefined {
  const [head = '', body = '', given = ''] = token.split('.');
  const expected = Buffer.from(signature(`${head}.${body}`, key));
  const actual = Buffer.from(given);
  if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return undefined;
  const { id } = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as { id: string };
  return id;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signature(text: string, key: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
