/** Matches algorithm and key. Two lines with the same ones have the same key. */
const keyPattern =
  /^(?:(?:[^\s"]|"(?:\\.|[^"\\])*")+[ \t]+)?((?:ssh|ecdsa|sk-ssh|sk-ecdsa)-[a-z0-9@.-]+)[ \t]+([A-Za-z0-9+/]+=*)(?=\s|$)/;

/**
 * Returns the key on a line of authorized_keys (sshd(8)) as `<algorithm> <base64>`, without options
 * and comment; undefined for a line without a key.
 */
export function keyOf(line: string): string | undefined {
  const [, algorithm, body] = keyPattern.exec(line.trim()) ?? [];
  return line.trim().startsWith('#') || algorithm === undefined
    ? undefined
    : `${algorithm} ${body}`;
}

/** Returns the keys of an authorized_keys file in their order. */
export function keysIn(text: string): string[] {
  return text
    .split('\n')
    .map(keyOf)
    .filter((key) => key !== undefined);
}

/**
 * Returns the text with the missing keys appended. Existing lines stay unchanged, including keys and
 * options that the administrator added.
 */
export function withKeys(text: string, lines: readonly string[]): string {
  const present = new Set(keysIn(text));
  const missing = lines.filter((line) => !present.has(keyOf(line) ?? line));
  if (missing.length === 0) return text;
  const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return `${ended}${[...new Set(missing)].join('\n')}\n`;
}

/** Returns the text without the lines of these keys. @param keys as {@link keyOf} returns them */
export function withoutKeys(text: string, keys: readonly string[]): string {
  if (keys.length === 0) return text;
  const removed = new Set<string | undefined>(keys);
  const isKept = (line: string) => keyOf(line) === undefined || !removed.has(keyOf(line));
  return text.split('\n').filter(isKept).join('\n');
}
