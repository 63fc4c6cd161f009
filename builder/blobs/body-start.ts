import type { HttpResponse } from '#http/message.ts';

/**
 * The byte of the content that a body begins with: 0 for a whole one (status 200), what
 * Content-Range says for a part (status 206; RFC 9110, section 14.4). Undefined when the part is
 * not the one that was asked for, or is one of a content of another size.
 */
export function bodyStart(response: HttpResponse, from: number, size: number): number | undefined {
  if (response.status === 200) return 0;
  const range = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/i.exec(
    response.header('content-range')?.trim() ?? '',
  );
  if (response.status !== 206 || range === null) return undefined;
  const [, first, , total] = range;
  const isOfThis = total === '*' || Number(total) === size;
  return Number(first) === from && isOfThis ? from : undefined;
}

/** The bytes that a body will have, where the server says so. */
export function bodyLength(response: HttpResponse): number | undefined {
  const length = response.header('content-length') ?? '';
  return /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}
