/** Stands for a part of a command line that the reader replaces, as in `root@<server>`. */
export const placeholder = 'PLACEHOLDER';

export interface Call {
  readonly words: readonly string[];
  readonly sudo: boolean;
  readonly redirected: readonly string[];
}

const operators = /^(?:\||\|\||&&|;|&)$/;

/** Splits a line of POSIX shell into its calls, each with its words unquoted. */
export function splitShell(line: string): Call[] {
  const calls: string[][] = [[]];
  for (const token of tokensOf(line)) {
    if (operators.test(token)) calls.push([]);
    else calls.at(-1)?.push(token);
  }
  return calls.map(callOf).filter(({ words }) => words.length > 0);
}

function tokensOf(line: string): string[] {
  const text = line
    .replaceAll(/\\\n/g, ' ')
    // `<server>` and `[path…]`, but not `< proxies.yaml`.
    .replaceAll(/<[^\s<>](?:[^<>]*[^\s<>])?>/g, placeholder)
    .replaceAll(/(^|\s)\[[^\]:]*\]/g, '$1');
  const words = [...text.matchAll(/(?:^|\s)#.*|(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/gs)];
  return words.map(([word]) => word).filter((word) => !/^\s*#/.test(word));
}

/** `NAME`, `PORT/PROTOCOL`, `名称` and `…`: the reader writes a value. */
const replaced = /^(?:[A-Z]{2,}(?:\/[A-Z]+)?|\p{Script=Han}+|…)$/u;

function callOf(tokens: readonly string[]): Call {
  const words: string[] = [];
  const redirected: string[] = [];
  let opens = false;
  for (const token of tokens) {
    const [, target] = /^\d?(?:>>?|<)(.*)$/.exec(token) ?? [];
    if (opens || target) redirected.push(unquoted(target ?? token));
    else if (target === undefined) words.push(replaced.test(token) ? placeholder : unquoted(token));
    opens = target === '';
  }
  const variables = words.findIndex((word) => !/^[A-Za-z_]+=/.test(word));
  const rest = words.slice(Math.max(variables, 0));
  const sudo = rest[0] === 'sudo';
  return { words: sudo ? rest.slice(1) : rest, sudo, redirected };
}

function unquoted(token: string): string {
  return token.replaceAll(
    /"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/gs,
    (_all, double, single, escaped) => String(double ?? single ?? escaped),
  );
}
