import type { HttpResponse } from './message.ts';
import { statusError } from './status.ts';

/** An answer with a body that continues a content, or that begins it again. */
interface Continuation {
  readonly response: HttpResponse;
  /** The byte of the content that the body begins with: the one asked for, or 0. */
  readonly start: number;
  /** True when the server refused to begin at that byte and was asked for everything. */
  readonly isRangeRefused: boolean;
}

/** What is to be continued. */
interface Unfinished {
  /** Bytes that are there. */
  readonly from: number;
  /** Bytes of the whole content; null where unknown. */
  readonly size: number | null;
  /** What is fetched, for messages. */
  readonly what: string;
}

/**
 * Requests the rest of a content. Where the server does not continue at the right byte of the same
 * content, requests all of it.
 * @param open sends one request, with {@link rangeFrom} for bytes that are there
 * @throws LandfallError HTTP_STATUS, REGISTRY_RATE_LIMIT and those of `open`
 */
export async function openRest(
  open: (from: number) => Promise<HttpResponse>,
  { from, size, what }: Unfinished,
): Promise<Continuation> {
  const response = await open(from);
  const start = bodyStart(response, from, size);
  if (start !== undefined) return { response, start, isRangeRefused: false };
  await response.discard();
  const isRangeRefused = from > 0 && (response.status === 206 || response.status === 416);
  if (!isRangeRefused) throw statusError(response, what);
  return { ...(await openRest(open, { from: 0, size, what })), isRangeRefused };
}

/** The header that requests content from a byte on (RFC 9110, section 14.2); none for all of it. */
export function rangeFrom(from: number): { range?: string } {
  return from > 0 ? { range: `bytes=${from}-` } : {};
}

/**
 * The byte of the content that a body begins with: 0 for a whole one (status 200), what
 * Content-Range says for a part (status 206; RFC 9110, section 14.4). Undefined when the part is
 * not the one that was asked for, or is one of a content of another size.
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

/** The bytes that a body will have, where the server says so. */
export function bodyLength(response: HttpResponse): number | undefined {
  const length = response.header('content-length') ?? '';
  return /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}
