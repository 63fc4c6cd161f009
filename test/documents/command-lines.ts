import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { splitShell } from './split-shell.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** One call of a program on a page. */
export interface CommandLine {
  /** `docs/relay.md:12`, for the message of a failure. */
  readonly place: string;
  /** The program and its arguments, without `sudo`, redirections and comments. */
  readonly words: readonly string[];
  readonly sudo: boolean;
  /** A line of a block of commands. Code in a sentence can leave arguments out. */
  readonly complete: boolean;
  /** Files that the shell opens or creates, as in `> config.yaml`. */
  readonly redirected: readonly string[];
}

/** Pages of the project, except the history and what a specification or decision quotes. */
export function pages(): string[] {
  const patterns = ['*.md', 'docs/**/*.md', 'compose/**/*.md', 'test/**/README.md'];
  const others = /^(?:CHANGELOG\.md|docs\/(?:decisions|experiments)\/|docs\/corrections\.md)/;
  return globSync(patterns, { cwd: root })
    .filter((path) => !others.test(path))
    .sort();
}

/** Returns the calls on a page: those of `sh` blocks, and those in code in its sentences. */
export function commandLinesOf(page: string): CommandLine[] {
  const text = textOf(page);
  return [...blocksOf(text), ...codeOf(text)].flatMap(({ code, at, complete }) => {
    const place = `${page}:${text.slice(0, at).split('\n').length}`;
    return splitShell(code).map((call) => ({ place, complete, ...call }));
  });
}

/** Returns the lines of the blocks of commands of a page, with continued lines joined. */
export function blockLinesOf(page: string): string[] {
  return blocksOf(textOf(page)).map(({ code }) => code);
}

function textOf(page: string): string {
  return readFileSync(`${root}/${page}`, 'utf8');
}

interface Code {
  readonly code: string;
  readonly at: number;
  readonly complete: boolean;
}

const fence = /^( *)```(\w*)\n(.*?)^\1```$/gms;

function blocksOf(text: string): Code[] {
  return [...text.matchAll(fence)]
    .filter(([, , language = '']) => /^(?:sh|bash|console)$/.test(language))
    .flatMap((match) => linesOf(match[3] ?? '', match.index + match[0].indexOf('\n') + 1));
}

function linesOf(block: string, start: number): Code[] {
  // A line continues after a backslash and after a pipe.
  return [...block.matchAll(/^(?:[^\n]*[\\|]\n)*[^\n]*$/gm)]
    .map((match) => ({ code: match[0], at: start + match.index, complete: true }))
    .filter(({ code }) => code.trim() !== '');
}

/** Returns code in sentences and tables, where `\|` is a pipe. */
function codeOf(text: string): Code[] {
  const sentences = text.replaceAll(fence, (block) => block.replaceAll(/[^\n]/g, ' '));
  return [...sentences.matchAll(/(`+)([^`]+)\1/g)].map((match) => ({
    code: (match[2] ?? '').replaceAll('\\|', '|').replaceAll(/\s+/g, ' '),
    at: match.index,
    complete: false,
  }));
}
