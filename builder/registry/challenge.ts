/** One way in that a server offers (RFC 9110, section 11.3). */
export interface Challenge {
  /** In lower case: `bearer`, `basic`. */
  readonly scheme: string;
  /** By their names in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

const longestHeader = 8192;
const mostParameters = 32;

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const separators = /[ \t,]*/y;
const scheme = new RegExp(`(${token})(?=[ \t,]|$)`, 'y');
const parameter = new RegExp(
  `[ \t,]*(${token})[ \t]*=[ \t]*(?:(${token})|"((?:[^"\\\\]|\\\\.)*)")[ \t]*(?=,|$)`,
  'y',
);
/** What `Negotiate` and its like carry in place of parameters. */
const token68 = /[ \t]+[A-Za-z0-9._~+/-]+=*[ \t]*(?=,|$)/y;

/**
 * Reads a WWW-Authenticate header, several joined with commas included. The grammar is ambiguous at
 * every comma, so a name counts as a parameter when `=` follows and begins a challenge otherwise.
 * Gives nothing at all when any part of it is malformed: half a challenge is no place to send a
 * password to.
 */
export function parseChallenges(header: string | undefined): readonly Challenge[] {
  if (header === undefined || header.length > longestHeader) return [];
  const challenges: Challenge[] = [];
  let at = skip(header, 0, separators);
  while (at < header.length) {
    const name = matchAt(header, at, scheme);
    if (!name) return [];
    const parameters = new Map<string, string>();
    at = readParameters(header, at + name[0].length, parameters);
    if (at === -1) return [];
    challenges.push({ scheme: (name[1] ?? '').toLowerCase(), parameters });
    at = skip(header, at, separators);
  }
  return challenges;
}

/** Fills the map and gives the place after it; -1 for a parameter that comes twice, or too many. */
function readParameters(header: string, start: number, into: Map<string, string>): number {
  let at = start;
  for (;;) {
    const found = matchAt(header, at, parameter);
    if (!found) break;
    const [all, name = '', plain, quoted = ''] = found;
    const key = name.toLowerCase();
    if (into.has(key) || into.size === mostParameters) return -1;
    into.set(key, plain ?? quoted.replace(/\\(.)/g, '$1'));
    at += all.length;
  }
  return into.size > 0 ? at : skip(header, at, token68);
}

function skip(text: string, at: number, pattern: RegExp): number {
  return at + (matchAt(text, at, pattern)?.[0].length ?? 0);
}

function matchAt(text: string, at: number, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
