import type { HttpResponse } from './message.ts';
import { contentLength } from './response.ts';
import { statusError } from './status.ts';

/** A response whose body continues a content or restarts it. */
interface Continuation {
  readonly response: HttpResponse;
  /** Offset of the body in the content: the requested one, or 0. */
  readonly start: number;
}

/** A content to continue. */
interface Unfinished {
  /** Number of bytes that are already present. */
  readonly from: number;
  /** Size of the whole content in bytes; null if unknown. */
  readonly size: number | null;
  /** Name of the content, for messages. */
  readonly what: string;
}

/**
 * Requests the rest of a content. Requests the whole content if the server does not continue at
 * the right byte of the same content.
 * @param open sends one request, with {@link rangeFrom} for an offset
 * @throws LandfallError HTTP_STATUS, REGISTRY_RATE_LIMIT and the errors of `open`
 */
export async function openRest(
  open: (from: number) => Promise<HttpResponse>,
  { from, size, what }: Unfinished,
): Promise<Continuation> {
  const response = await open(from);
  const start = bodyStart(response, from, size);
  if (start !== undefined) return { response, start };
  await response.discard();
  const isRangeRefused = from > 0 && (response.status === 206 || response.status === 416);
  if (!isRangeRefused) throw statusError(response, what);
  return await openRest(open, { from: 0, size, what });
}

/** Returns the header that requests content from an offset (RFC 9110, section 14.2); none for 0. */
export function rangeFrom(from: number): { range?: string } {
  return from > 0 ? { range: `bytes=${from}-` } : {};
}

/**
 * Returns the offset of a body in its content: 0 for a whole one (status 200), that of
 * Content-Range for a partial one (status 206; RFC 9110, section 14.4). Undefined when the range is
 * not the requested one or the total size differs.
 */
export function bodyStart(
  response: HttpResponse,
  from: number,
  size: number | null,
): number | undefined {
  if (response.status === 200) return 0;
  const range = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(
    response.header('content-range')?.trim() ?? '',
  );
  if (response.status !== 206 || range === null) return undefined;
  const [, first, , total] = range;
  const isOfThis = size === null || total === '*' || Number(total) === size;
  return Number(first) === from && isOfThis ? from : undefined;
}

/** Returns the length of a body in bytes, if the server sends it. */
export function bodyLength(response: HttpResponse): number | undefined {
  return contentLength(response.header('content-length'));
}
