import { parseJson } from '#contract/text/json.ts';

/** Changes a body chunk by chunk. The length stays the same, so `Content-Length` remains valid. */
export interface Filter {
  /** Takes the next chunk and returns the bytes that are ready to send, possibly none. */
  push(chunk: Uint8Array): Uint8Array;
  /** Returns the remaining bytes at the end of the body. */
  end(): Uint8Array;
}

export const nothing: Uint8Array = new Uint8Array(0);
export const star = '*'.charCodeAt(0);

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = parts.filter((part) => part.length > 0);
  if (whole.length <= 1) return whole[0] ?? nothing;
  const all = new Uint8Array(whole.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of whole) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Returns one character per byte, so that patterns can match arbitrary bytes. */
export function charactersOf(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4096)
    text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return text;
}

/** Reverses {@link charactersOf}. */
export function bytesOf(characters: string): Uint8Array {
  return Uint8Array.from(characters, (character) => character.charCodeAt(0));
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns whether a JSON text is an error, in any of the formats that providers use. */
export function isErrorBody(text: string): boolean {
  const { error, errors, type, object, response, choices, code, message, base_resp } = fieldsOf(
    parseJson(text),
  );
  return (
    [error, errors, base_resp, fieldsOf(response).error].some(Boolean) ||
    [type, object].includes('error') ||
    (code !== undefined && message !== undefined) ||
    (Array.isArray(choices) && choices.some((choice) => fieldsOf(choice).error))
  );
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
