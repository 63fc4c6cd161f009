import { fieldsOf, type JsonSchema } from './fields.ts';
import { withGenerated } from './markers.ts';

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
  return withGenerated(document, 'fields', fieldTable(schema));
}
