import { chineseMeanings } from './chinese.ts';
import { type Field, fieldsOf, type JsonSchema } from './fields.ts';
import { withGenerated } from './markers.ts';

/** Languages of the documents. */
type DocumentLanguage = 'en' | 'zh';

/** Returns a Markdown table of every field of a schema. */
export function fieldTable(schema: JsonSchema, language: DocumentLanguage = 'en'): string {
  const { head, required, type, meaning } = words[language];
  const rows = fieldsOf(schema).map((field) => {
    const value = field.required ? `**${required}**` : field.default ? `\`${field.default}\`` : '';
    const text = meaning(field).replaceAll('|', '\\|');
    return `| \`${field.name}\` | ${type(field.type)} | ${value} | ${text} |`;
  });
  return [`| ${head.join(' | ')} |`, '|---|---|---|---|', ...rows].join('\n');
}

/**
 * Returns a document with its table of fields replaced.
 * @throws Error when the document has no markers
 */
export function withFieldTable(
  document: string,
  schema: JsonSchema,
  language: DocumentLanguage = 'en',
): string {
  return withGenerated(document, 'fields', fieldTable(schema, language));
}

interface Words {
  readonly head: readonly string[];
  readonly required: string;
  readonly type: (english: string) => string;
  readonly meaning: (field: Field) => string;
}

const words: Readonly<Record<DocumentLanguage, Words>> = {
  en: {
    head: ['field', 'value', 'default', 'meaning'],
    required: 'required',
    type: (english) => english,
    meaning: ({ description }) => description,
  },
  zh: {
    head: ['字段', '值', '默认值', '含义'],
    required: '必填',
    type: (english) =>
      chineseTypes.reduce((text, [from, to]) => text.replaceAll(from, to), english),
    meaning: ({ name }) => chineseMeanings[name] ?? '',
  },
};

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
