import { createHash } from 'node:crypto';
import type { Answer, Refusal, StoredObject } from './answer.ts';
import type { SignedRequest } from './signature.ts';

/** Returns an object, or the requested part of it. */
export function readObject(
  found: StoredObject | undefined,
  { headers: { range } }: SignedRequest,
): Answer | Refusal {
  if (!found) return { status: 404, code: 'NoSuchKey' };
  const { content, etag, headers, modified = new Date(0) } = found;
  const common = {
    'content-type': 'binary/octet-stream',
    ...headers,
    ...{ etag, 'last-modified': modified.toUTCString(), 'accept-ranges': 'bytes' },
  };
  const slice = range === undefined ? [0, content.length] : sliceOf(range, content.length);
  if (!slice) return { status: 416, code: 'InvalidRange' };
  const [start = 0, end = 0] = slice;
  const body = content.subarray(start, end);
  const length = { 'content-length': `${body.length}` };
  if (range === undefined) return { headers: { ...common, ...length }, body };
  const place = `bytes ${start}-${end - 1}/${content.length}`;
  return { status: 206, headers: { ...common, ...length, 'content-range': place }, body };
}

/**
 * Returns start and end of a range (RFC 9110, section 14.1.2); undefined if it is not satisfiable. S3
 * accepts one range.
 */
function sliceOf(range: string, size: number): [start: number, end: number] | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  if (first === '') {
    const start = Math.max(0, size - Number(last));
    return start < size ? [start, size] : undefined;
  }
  const end = last === '' ? size : Math.min(size, Number(last) + 1);
  return Number(first) < end ? [Number(first), end] : undefined;
}

/** Returns the object of a request that stores it. */
export function objectOf(content: Buffer, request: SignedRequest): StoredObject {
  const etag = `"${digestOf('md5', content)}"`;
  return { content, etag, headers: metadataIn(request.headers), modified: new Date() };
}

/** Returns the headers of a request that stay with its object. */
export function metadataIn(headers: SignedRequest['headers']): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) =>
    /^(?:x-amz-meta-|content-type$)/.test(name),
  );
  return Object.fromEntries(kept) as Record<string, string>;
}

/** Returns a digest in hex. */
export function digestOf(name: 'md5' | 'sha256', bytes: Buffer): string {
  return createHash(name).update(bytes).digest('hex');
}
