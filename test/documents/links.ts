import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A link of a document to another file of the project. */
export interface Link {
  readonly source: string;
  /** As it is written in the document. */
  readonly markdown: string;
  /** The file from the root of the project. */
  readonly file: string;
  readonly section: string | undefined;
  /** The rest of its line. */
  readonly after: string;
  /** Its line from the beginning. */
  readonly before: string;
}

/** Returns the links of a text to files of the project, in their order. */
export function linksIn(source: string, text = readFileSync(source, 'utf8')): Link[] {
  return text.split('\n').flatMap((line) =>
    [...line.matchAll(/\[(?:[^\]]|!\[[^\]]*\])*\]\((?!\w+:)([^)#\s]*)(?:#([^)]+))?\)/g)].map(
      ({ 0: markdown, 1: path = '', 2: section, index }) => ({
        source,
        markdown,
        file: path === '' ? source : join(dirname(source), path),
        section,
        before: line.slice(0, index),
        after: line.slice(index + markdown.length),
      }),
    ),
  );
}

/** Whether the file of a link exists, and its section in it. */
export function leadsSomewhere({ file, section }: Link): boolean {
  if (!existsSync(file)) return false;
  if (section === undefined) return true;
  const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm);
  return [...headings].some(([, heading = '']) => anchorOf(heading) === section);
}

/** Returns the anchor of a heading, as code hosts make it. */
function anchorOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}
