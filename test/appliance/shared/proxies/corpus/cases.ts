import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { bytesOf } from './bytes.ts';

/** A source to import, with what the import must find in it. README.md explains the format. */
export interface Case {
  /** Starts with the path of its file, such as `links/ss: SIP002 with padding`. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Whether entries with problems are left out. */
  readonly skip: boolean;
  readonly isImported: boolean;
  /** The lines of the expectation. */
  readonly expected: readonly string[];
}

const folder = fileURLToPath(new URL('.', import.meta.url));

/** Reads all files with cases. @throws Error for a file in another format */
export function readCases(): Case[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.cases'))
    .sort()
    .flatMap((path) => parseCases(readFileSync(`${folder}/${path}`, 'utf8'), path));
}

/** Returns rows for `it.each` with `%s`, which does not shorten names. */
export function named(cases: readonly Case[]): (readonly [name: string, each: Case])[] {
  return cases.map((each) => [each.name, each]);
}

function parseCases(text: string, path: string): Case[] {
  const [before, ...sections] = text.split(/^==== /m);
  if (before !== '') throw new Error(`${path} does not start with ====`);
  let last = '';
  return sections.map((section) => {
    const [, title = '', list = '', content = '', result, expected = ''] =
      /^(.*?)(?: \| ([a-z0-9 -]+))?\n(.*?)^---- (imported|rejected)\n(.*)$/ms.exec(section) ?? [];
    if (result === undefined) throw new Error(`${path}: no expectation: ${section.slice(0, 80)}`);
    const options = list.split(' ').filter(Boolean);
    if (!options.includes('same')) last = content;
    return {
      name: `${path.replace(/\.cases$/, '')}: ${title}`,
      bytes: bytesOf(last, options),
      skip: options.includes('skip'),
      isImported: result === 'imported',
      expected: expected.split('\n').filter(Boolean),
    };
  });
}
