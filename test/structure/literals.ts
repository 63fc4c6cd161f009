/** A text in the source, with `{}` for what it inserts. */
interface Literal {
  readonly text: string;
  /** 1-based. */
  readonly line: number;
  /** The functions in whose arguments it is, innermost last. */
  readonly calls: readonly string[];
  /** The source before it. */
  readonly before: string;
}

/** Lists the texts in a source file, also those inside of what a template inserts. */
export function literalsIn(source: string): Literal[] {
  const found: Literal[] = [];
  scan(source, 0, { isInsert: false, calls: [], found });
  return found;
}

interface Scan {
  /** Whether it ends at the brace that closes `${`. */
  readonly isInsert: boolean;
  readonly calls: readonly string[];
  readonly found: Literal[];
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', '\n': '' };

/** Returns the index after the scanned code. */
function scan(source: string, start: number, { isInsert, calls: outer, found }: Scan): number {
  const calls = [...outer];
  let depth = 0;
  let last = '(';
  let at = start;
  while (at < source.length) {
    const char = source.charAt(at);
    if (/\s/.test(char)) {
      at += 1;
      continue;
    }
    if (source.startsWith('//', at)) {
      at = source.indexOf('\n', at);
      continue;
    }
    if (source.startsWith('/*', at)) {
      at = source.indexOf('*/', at) + 2;
      continue;
    }
    if (char === '/' && (/[(,=:[!&|?{};>]/.test(last) || /\breturn $/.test(source.slice(0, at)))) {
      at = endOfPattern(source, at);
    } else if (/['"`]/.test(char)) {
      const line = source.slice(0, at).split('\n').length;
      const before = source.slice(Math.max(0, at - 80), at);
      let text = '';
      at += 1;
      while (source.charAt(at) !== char) {
        if (source.charAt(at) === '\\') {
          const escaped = source.charAt(at + 1);
          text += escapes[escaped] ?? escaped;
          at += 2;
        } else if (char === '`' && source.startsWith('${', at)) {
          text += '{}';
          at = scan(source, at + 2, { isInsert: true, calls, found });
        } else {
          text += source.charAt(at);
          at += 1;
        }
      }
      at += 1;
      found.push({ text, line, calls: [...calls], before });
    } else {
      if (char === '(')
        calls.push(/(\w+)$/.exec(source.slice(Math.max(0, at - 60), at))?.[1] ?? '');
      if (char === ')') calls.pop();
      if (char === '{') depth += 1;
      if (char === '}') {
        if (isInsert && depth === 0) return at + 1;
        depth -= 1;
      }
      at += 1;
    }
    last = char;
  }
  return at;
}

function endOfPattern(source: string, start: number): number {
  let isClass = false;
  for (let at = start + 1; at < source.length; at += 1) {
    const char = source.charAt(at);
    if (char === '\\') at += 1;
    else if (char === '[') isClass = true;
    else if (char === ']') isClass = false;
    else if (char === '/' && !isClass) return at + 1;
  }
  throw new Error(`a pattern without an end: ${source.slice(start, start + 40)}`);
}
