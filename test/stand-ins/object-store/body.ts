import { createHash } from 'node:crypto';
import type { Refusal } from './answer.ts';
import { digestOf } from './objects.ts';
import type { SignedRequest } from './signature.ts';

const unsigned = 'UNSIGNED-PAYLOAD';
/** Difference of the clocks that S3 accepts. Milliseconds. */
const maxSkew = 15 * 60_000;

/**
 * Returns how a request with a valid signature is refused because of its time, or because its body is not
 * the one that was sent. A body that is not signed needs TLS and a digest.
 */
export function bodyFault(
  { headers }: SignedRequest,
  body: Buffer,
  isSecure: boolean,
  now = Date.now(),
): Refusal | undefined {
  if (headers.authorization === undefined) return undefined;
  const skew = Math.abs(timeOf(headers['x-amz-date']) - now);
  if (Number.isNaN(skew) || skew > maxSkew) {
    return { status: 403, code: 'RequestTimeTooSkewed' };
  }
  const md5 = headers['content-md5'];
  if (md5 !== undefined) {
    if (Buffer.from(md5, 'base64').length !== 16) return { status: 400, code: 'InvalidDigest' };
    const received = createHash('md5').update(body).digest('base64');
    if (md5 !== received) return { status: 400, code: 'BadDigest' };
  }
  const signed = headers['x-amz-content-sha256'];
  if (signed === unsigned) {
    const isProtected = isSecure && (body.length === 0 || md5 !== undefined);
    return isProtected ? undefined : { status: 400, code: 'InvalidRequest' };
  }
  if (signed?.startsWith('STREAMING-')) return { status: 501, code: 'NotImplemented' };
  if (signed === digestOf('sha256', body)) return undefined;
  return { status: 400, code: 'XAmzContentSHA256Mismatch' };
}

/** `20130524T000000Z` in milliseconds since 1970. */
function timeOf(text = ''): number {
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:'));
}
