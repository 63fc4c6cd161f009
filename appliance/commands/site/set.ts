import { type Document, isCollection, isScalar, isSeq } from 'yaml';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage, say } from '#contract/text/language.ts';
import { parseYamlDocument } from '#yaml/document.ts';
import { parseYamlText } from '#yaml/parse.ts';
import type { Facts } from '../../server/load-facts.ts';
import { applyChanged } from './apply.ts';
import { currentText, parseSource, siteName } from './source.ts';

/** One change of a field. */
export interface FieldChange {
  readonly action: 'set' | 'add' | 'remove';
  /** `hosts.ui`, `firewall.allow`. */
  readonly field: string;
  /** As in site.yaml. Undefined only for `remove`: the field gets its default. */
  readonly value?: string | undefined;
}

/** The beginning of a public key, which has spaces (sshd(8), AUTHORIZED_KEYS). */
const keyType = /^(?:ssh|ecdsa|sk)-[\w@.-]+$/;

/**
 * Returns the changes that the words of a command mean: one, or with `set` several, each a field and its
 * value. The words of an SSH key are one value, also without quotation marks.
 * @throws LandfallError USAGE
 */
export function changesOf(
  action: FieldChange['action'],
  field: string,
  words: readonly string[],
): FieldChange[] {
  const [first, ...rest] = words;
  if (rest.length === 0) return [{ action, field, value: first }];
  if (first !== undefined && keyType.test(first))
    return [{ action, field, value: words.join(' ') }];
  const [name = '', ...others] = rest;
  if (action !== 'set' || others.length === 0 || !isField(name)) {
    throw new LandfallError(
      'USAGE',
      inLanguage({
        en: `too many words after ${field.slice(0, 100)}`,
        zh: `${field.slice(0, 100)} 之后的词太多`,
      }),
      {
        hint: {
          en: `Put a value with spaces in quotation marks: '${words.join(' ').slice(0, 100)}'`,
          zh: `含空格的值要加引号：'${words.join(' ').slice(0, 100)}'`,
        },
      },
    );
  }
  return [{ action, field, value: first }, ...changesOf(action, name, others)];
}

const isField = (text: string) => text.split('.').every((name) => /^[A-Za-z0-9][\w-]*$/.test(name));

/**
 * Changes fields of the site, and applies them together. The comments of site.yaml stay.
 * @throws LandfallError USAGE for a field that cannot be changed in this way, and those of `applySite`
 */
export async function changeFields(
  facts: Facts,
  changes: readonly FieldChange[],
  yes = false,
): Promise<void> {
  const read = async () => {
    const text = changes.reduce(changedText, await currentText(facts.host));
    return parseSource(Buffer.from(text), say('the changed site', '更改后的站点配置'));
  };
  await applyChanged(facts, read, yes);
}

/**
 * Returns site.yaml with a changed field; everything else stays as it was written, except the spacing.
 * Whether the site is valid is for the schema.
 * @throws LandfallError USAGE; CONFIG_SYNTAX
 */
export function changedText(text: string, { action, field, value }: FieldChange): string {
  const path = field.split('.');
  if (!isField(field)) {
    throw unusable(`${JSON.stringify(field.slice(0, 100))} is not a field`);
  }
  const { document } = parseYamlDocument(text, siteName);
  requireSections(document, path);
  const given = value === undefined ? undefined : parsedValue(value);
  switch (action) {
    case 'set':
      if (isSeq(document.getIn(path, true)) && !Array.isArray(given)) throw needsList(field);
      document.setIn(path, plainOrNode(document, given));
      break;
    case 'add':
      addEntry(document, path, given);
      break;
    case 'remove':
      if (value === undefined) document.deleteIn(path);
      else removeEntry(document, path, given);
      break;
  }
  return document.toString({ lineWidth: 0 });
}

/** A scalar replaces the value and keeps the comment beside it. */
function plainOrNode(document: Document, value: unknown): unknown {
  return typeof value === 'object' && value !== null ? document.createNode(value) : value;
}

/** @throws LandfallError USAGE unless all but the last name are sections, or do not exist yet */
function requireSections(document: Document, path: readonly string[]): void {
  for (let length = 1; length < path.length; length += 1) {
    const above = path.slice(0, length);
    const node = document.getIn(above, true);
    if (node === undefined || (isScalar(node) && node.value === null)) {
      // `hosts:` without a value is an empty section.
      if (node !== undefined) document.setIn(above, document.createNode({}));
      return;
    }
    if (isCollection(node) && !isSeq(node)) continue;
    throw unusable(`${above.join('.')} of ${path.join('.')} has no fields`);
  }
}

function addEntry(document: Document, path: readonly string[], entry: unknown): void {
  const before = document.getIn(path, true);
  const isEmpty = before === undefined || (isScalar(before) && before.value === null);
  if (isEmpty) {
    document.setIn(path, document.createNode([entry]));
    return;
  }
  if (!isSeq(before)) throw unusable(`${path.join('.')} is not a list`);
  before.add(document.createNode(entry));
}

function removeEntry(document: Document, path: readonly string[], entry: unknown): void {
  const list = document.getIn(path, true);
  const text = JSON.stringify(entry);
  const values: unknown = isSeq(list) ? list.toJS(document) : [];
  const index = Array.isArray(values)
    ? values.findIndex((each) => JSON.stringify(each) === text)
    : -1;
  if (index < 0 || !isSeq(list)) throw unusable(`${path.join('.')} does not have ${text}`);
  list.delete(index);
}

/** Words are text, as in YAML; numbers, true, lists and sections are what they look like. */
function parsedValue(text: string): unknown {
  try {
    return parseYamlText(text, say('the value', '值')).value;
  } catch (error) {
    if (error instanceof LandfallError) return text;
    throw error;
  }
}

function needsList(field: string): LandfallError {
  return new LandfallError(
    'USAGE',
    inLanguage({ en: `${field} is a list`, zh: `${field} 是列表` }),
    {
      hint: {
        en: `Add an entry with \`sudo landfall site add ${field} …\`, or set the whole list: '[first, second]'`,
        zh: `用 \`sudo landfall site add ${field} …\` 增加一项，或设置整个列表：'[第一项, 第二项]'`,
      },
    },
  );
}

function unusable(message: string): LandfallError {
  return new LandfallError('USAGE', message, {
    hint: {
      en: 'Print the site with `sudo landfall site show`, and all fields with `sudo landfall site fields`.',
      zh: '用 `sudo landfall site show` 查看站点配置，用 `sudo landfall site fields` 查看所有字段。',
    },
  });
}
