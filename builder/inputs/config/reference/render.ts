import type { Language } from '#contract/text/language.ts';
import { withGenerated } from './markers.ts';

/** Returns a Markdown table of every field of a schema, with the meanings of the schema. */
export function fieldTable(schema: JsonSchema): string {
  return tableOf(schema, 'en', ({ description }) => description.replaceAll('|', '\\|'));
}

/**
 * Returns a document with its table of fields replaced. In Chinese, the meanings are those of the
 * document, where they are translated; a new field has none.
 * @throws Error when the document has no markers
 */
export function withFieldTable(
  document: string,
  schema: JsonSchema,
  language: Language = 'en',
): string {
  const meanings = fieldMeanings(document);
  const table =
    language === 'en'
      ? fieldTable(schema)
      : tableOf(schema, language, ({ name }) => meanings.get(name) ?? '');
  return withGenerated(document, 'fields', table);
}

/** Returns the meanings of fields in the table of a document, by name. Those in Chinese are only there. */
export function fieldMeanings(document: string): ReadonlyMap<string, string> {
  const rows = document.matchAll(/^\| `([^`]+)` \|.* \| (.*) \|$/gm);
  return new Map([...rows].map(([, name = '', meaning = '']) => [name, meaning]));
}

function tableOf(
  schema: JsonSchema,
  language: Language,
  meaning: (field: Field) => string,
): string {
  const { head, required, types } = words[language];
  const rows = fieldsOf(schema).map((field) => {
    const value = field.required ? `**${required}**` : field.default ? `\`${field.default}\`` : '';
    const type = types
      .reduce((text, [from, to]) => text.replaceAll(from, to), field.type)
      .replaceAll(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '');
    return `| \`${field.name}\` | ${type} | ${value} | ${meaning(field)} |`;
  });
  return [`| ${head.join(' | ')} |`, '|---|---|---|---|', ...rows].join('\n');
}

/** Types in the wording of {@link fieldsOf}, longer ones first. */
const chineseTypes: ReadonlyArray<readonly [string, string]> = [
  ['list of sections', '小节列表'],
  ['list of section', '小节列表'],
  ['list of text', '文本列表'],
  ['names with values', '名称与值'],
  ['true or false', '`true` 或 `false`'],
  ['whole number', '整数'],
  ['section', '小节'],
  ['number', '数'],
  ['empty', '留空'],
  ['text', '文本'],
  [' or ', ' 或 '],
];

const words = {
  en: { head: ['field', 'value', 'default', 'meaning'], required: 'required', types: [] },
  zh: { head: ['字段', '值', '默认值', '含义'], required: '必填', types: chineseTypes },
} as const;

/** The keywords of JSON Schema (2020-12) that zod writes for the files of this project. */
interface JsonSchema {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
}

/** A row of the field table. */
interface Field {
  /** Such as `tls.server.url`; `[]` stands for an entry of a list, `<name>` for a key. */
  readonly name: string;
  /** Such as `list of text` or `one of: off, notify`. */
  readonly type: string;
  /** In YAML flow style; absent if there is no default. */
  readonly default?: string;
  readonly required: boolean;
  readonly description: string;
}

/** Returns every field of an object schema, parents before children, in the order of the schema. */
export function fieldsOf(schema: JsonSchema, prefix = ''): Field[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) =>
    fieldAndChildren(`${prefix}${key}`, value, required.has(key)),
  );
}

function fieldAndChildren(name: string, schema: JsonSchema, required: boolean): Field[] {
  const field: Field = {
    name,
    type: typeOf(schema),
    required,
    description: schema.description ?? '',
    ...(schema.default === undefined || isObject(schema.default)
      ? {}
      : { default: JSON.stringify(schema.default) }),
  };
  return [field, ...childrenOf(name, schema)];
}

function childrenOf(name: string, schema: JsonSchema): Field[] {
  const { properties, items, additionalProperties, oneOf = [] } = schema;
  if (properties) return fieldsOf(schema, `${name}.`);
  if (items?.properties) return fieldsOf(items, `${name}[].`);
  if (typeof additionalProperties === 'object' && additionalProperties.properties) {
    return fieldsOf(additionalProperties, `${name}.<name>.`);
  }
  const seen = new Map<string, Field>();
  for (const field of oneOf.flatMap((each) => fieldsOf(each, `${name}.`))) {
    const known = seen.get(field.name);
    seen.set(field.name, known ? eitherOf(known, field) : field);
  }
  return [...seen.values()];
}

/** Merges a field of several alternatives, such as `route.mode`. */
function eitherOf(one: Field, other: Field): Field {
  if (one.type === other.type) return one;
  return { ...one, type: `${one.type} or ${other.type}` };
}

function typeOf(schema: JsonSchema): string {
  const { type, oneOf, anyOf, items, additionalProperties } = schema;
  if (schema.const === '') return 'empty';
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' or ');
  if (oneOf) return 'section';
  if (type === 'array') return `list of ${items?.properties ? 'sections' : typeOf(items ?? {})}`;
  if (type === 'object' && typeof additionalProperties === 'object') return 'names with values';
  const names: Record<string, string> = {
    object: 'section',
    string: 'text',
    boolean: 'true or false',
    integer: 'whole number',
    number: 'number',
  };
  return names[type ?? ''] ?? 'text';
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
