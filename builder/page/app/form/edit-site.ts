import { type Document, isMap, isScalar, parseDocument, Scalar } from 'yaml';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { memberOf } from '#explain/schema-at.ts';
import { commentOf } from '#explain/site-notes.ts';
import { sectionNames } from './fields.ts';

/**
 * Returns the text of site.yaml with another value of a field. Comments and order stay; a new section gets its
 * comment, and its place in the order of the schema.
 * @param value undefined: remove the field, and sections that become empty
 */
export function editSite(text: string, path: readonly string[], value: unknown): string {
  const document: Document = parseDocument(text);
  if (document.errors.length > 0) return text;
  if (!isMap(document.contents)) document.contents = document.createNode({}) as never;
  if (value === undefined) remove(document, path);
  else set(document, path, value);
  return document.toString({ lineWidth: 0 });
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
