/** One authentication scheme that a server offers (RFC 9110, section 11.3). */
export interface Challenge {
  /** In lower case: `bearer`, `basic`. */
  readonly scheme: string;
  /** Keyed by name in lower case. */
  readonly parameters: ReadonlyMap<string, string>;
}

const maxHeader = 8192;
const maxParameters = 32;

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const separators = /[ \t,]*/y;
const scheme = new RegExp(`(${token})(?=[ \t,]|$)`, 'y');
const parameter = new RegExp(
  `[ \t,]*(${token})[ \t]*=[ \t]*(?:(${token})|"((?:[^"\\\\]|\\\\.)*)")[ \t]*(?=,|$)`,
  'y',
);
/** The token68 form, which `Negotiate` and others use instead of parameters. */
const token68 = /[ \t]+[A-Za-z0-9._~+/-]+=*[ \t]*(?=,|$)/y;

/**
 * Parses a WWW-Authenticate header, including several challenges joined with commas. The grammar
 * is ambiguous at commas: a name followed by `=` is a parameter, otherwise it begins a challenge.
 * Returns nothing when any part is malformed, because a partial challenge must not receive a
 * password.
 */
export function parseChallenges(header: string | undefined): readonly Challenge[] {
  if (header === undefined || header.length > maxHeader) return [];
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

/** Fills the map and returns the next position; -1 for a duplicate parameter or too many. */
function readParameters(header: string, start: number, into: Map<string, string>): number {
  let at = start;
  for (;;) {
    const found = matchAt(header, at, parameter);
    if (!found) break;
    const [all, name = '', plain, quoted = ''] = found;
    const key = name.toLowerCase();
    if (into.has(key) || into.size === maxParameters) return -1;
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
