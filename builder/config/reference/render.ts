import { fieldsOf, type JsonSchema } from './fields.ts';

const begin = '<!-- fields: written by `npm run schema` -->';
const end = '<!-- /fields -->';

/** Returns a Markdown table of every field of a schema. */
export function fieldTable(schema: JsonSchema): string {
  const rows = fieldsOf(schema).map(({ name, type, required, description, ...field }) => {
    const value = required ? '**required**' : field.default ? `\`${field.default}\`` : '';
    return `| \`${name}\` | ${type} | ${value} | ${description.replaceAll('|', '\\|')} |`;
  });
  return ['| field | value | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

/**
 * Returns a document with its table of fields replaced.
 * @throws Error when the document has no markers
 */
export function withFieldTable(document: string, schema: JsonSchema): string {
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from === -1 || to < from) throw new Error('the document has no markers for the fields');
  return `${document.slice(0, from + begin.length)}\n\n${fieldTable(schema)}\n\n${document.slice(to)}`;
}
