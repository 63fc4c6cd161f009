/** The algorithm and the key itself, apart from the comment: what makes two lines the same key. */
const keyPattern =
  /^(?:(?:[^\s"]|"(?:\\.|[^"\\])*")+[ \t]+)?((?:ssh|ecdsa|sk-ssh|sk-ecdsa)-[a-z0-9@.-]+)[ \t]+([A-Za-z0-9+/]+=*)(?=\s|$)/;

/**
 * The key on a line of authorized_keys (sshd(8)) as `<algorithm> <base64>`, without options and
 * comment. Nothing for what holds no key.
 */
export function keyOf(line: string): string | undefined {
  const [, algorithm, body] = keyPattern.exec(line.trim()) ?? [];
  return line.trim().startsWith('#') || algorithm === undefined
    ? undefined
    : `${algorithm} ${body}`;
}

/** The keys in the text of such a file, in their order. */
export function keysIn(text: string): string[] {
  return text
    .split('\n')
    .map(keyOf)
    .filter((key) => key !== undefined);
}

/**
 * The text with every one of these keys in it. What is there already stays as it is: keys that
 * somebody added by hand, and options that somebody gave to a key.
 */
export function withKeys(text: string, lines: readonly string[]): string {
  const present = new Set(keysIn(text));
  const missing = lines.filter((line) => !present.has(keyOf(line) ?? line));
  if (missing.length === 0) return text;
  const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return `${ended}${[...new Set(missing)].join('\n')}\n`;
}
