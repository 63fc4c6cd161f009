/** Changes a body piece by piece. Never makes it longer or shorter, so its length stays true. */
export interface Filter {
  /** Takes the next piece; gives what may be passed on by now, which may be nothing. */
  push(piece: Uint8Array): Uint8Array;
  /** Gives what was held back when the body ends. */
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

/** A character for each byte, so that patterns can be looked for in bytes of any kind. */
export function charactersOf(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4096)
    text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return text;
}

/** The bytes of such characters. */
export function bytesOf(characters: string): Uint8Array {
  return Uint8Array.from(characters, (character) => character.charCodeAt(0));
}
