import {
  type Document,
  isMap,
  isScalar,
  parse,
  parseDocument,
  Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { memberOf } from '#explain/schema-at.ts';
import { commentOf } from '#explain/site-notes.ts';
import { sectionNames } from './fields.ts';

/**
 * Returns the text of site.yaml with another value of a field. Comments, order and the text of other sections
 * stay; a new section gets its comment, and its place in the order of the schema.
 * @param value undefined: remove the field, and sections that become empty
 */
export function editSite(text: string, path: readonly string[], value: unknown): string {
  const document: Document = parseDocument(text);
  if (document.errors.length > 0) return text;
  keepPadding(document, text);
  if (!isMap(document.contents)) document.contents = document.createNode({}) as never;
  if (value === undefined) remove(document, path);
  else set(document, path, value);
  return withOldSections(text, document.toString({ lineWidth: 0 }), path[0]);
}

/** Writes `[a]` without the spaces that the library adds to all lists and mappings on a line. */
function keepPadding(document: Document, text: string): void {
  visit(document, {
    Collection: (_key, node) => {
      const [start] = node.range ?? [];
      if (!node.flow || start === undefined || /\s/.test(text.charAt(start + 1))) return;
      const write = node.toString.bind(node) as YAMLMap['toString'];
      node.toString = (context, ...rest) =>
        write(context && Object.assign({}, context, { flowCollectionPadding: '' }), ...rest);
    },
  });
}

/** Returns the new text with every section of the old one but that which changed. */
function withOldSections(before: string, after: string, changed: string | undefined): string {
  const old = sectionsOf(before);
  const kept = [...sectionsOf(after)].map(([name, text]) =>
    name === changed ? text : (old.get(name) ?? text),
  );
  const result = kept.join('');
  return isSameSite(result, after) ? result : after;
}

/** Returns the lines of each section with the comments above it, and the comments at the end as `#`. */
function sectionsOf(text: string): Map<string, string> {
  const sections = new Map<string, string>();
  let above = '';
  let last = '';
  for (const line of text.split(/(?<=\n)/)) {
    const [, name] = /^([a-z_]+):(?:\s|$)/.exec(line) ?? [];
    if (name !== undefined) {
      sections.set(name, above + line);
      [above, last] = ['', name];
    } else if (/^\s*(?:#|$)/.test(line)) above += line;
    else {
      sections.set(last, (sections.get(last) ?? '') + above + line);
      above = '';
    }
  }
  return sections.set('#', above);
}

/** Returns whether two texts have the same values and the same comments. */
function isSameSite(one: string, other: string): boolean {
  const read = (text: string) => [parse(text), (text.match(/#.*/g) ?? []).sort()];
  return JSON.stringify(read(one)) === JSON.stringify(read(other));
}

function set(document: Document, path: readonly string[], value: unknown): void {
  const [section = ''] = path;
  const isNew = !document.has(section);
  for (let length = 1; length < path.length; length += 1) {
    const above = path.slice(0, length);
    if (!isMap(document.getIn(above, true))) document.setIn(above, document.createNode({}));
  }
  document.setIn(path, document.createNode(value));
  if (isNew) place(document, section as keyof Site);
}

/** Moves a section from the end to its place, with its comment. */
function place(document: Document, section: keyof Site): void {
  const { contents } = document;
  if (!isMap(contents)) return;
  const added = contents.items.pop();
  if (!added) return;
  const key = new Scalar(section);
  key.commentBefore = inLanguage(commentOf(section)).replaceAll(/^/gm, ' ');
  key.spaceBefore = true;
  const rank = sectionNames.indexOf(section);
  const after = contents.items.findIndex(({ key }) => rankOf(key) > rank);
  const at = after === -1 ? contents.items.length : after;
  contents.items.splice(at, 0, document.createPair(key, added.value));
}

function rankOf(key: unknown): number {
  return sectionNames.indexOf((isScalar(key) ? key.value : key) as keyof Site);
}

function remove(document: Document, path: readonly string[]): void {
  if (!document.hasIn(path)) return;
  document.deleteIn(path);
  const above = path.slice(0, -1);
  const left = document.getIn(above, true);
  if (above.length > 0 && isMap(left) && left.items.length === 0) remove(document, above);
}

/** Returns the value of a field in a site as it was read; undefined if it is not there. */
export function valueAt(site: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(memberOf, site);
}
