import { fileURLToPath } from 'node:url';
import type { SchemaName } from './json-schemas.ts';

/** Where the checked-in copy lies. */
export function schemaPath(name: SchemaName): string {
  return fileURLToPath(new URL(`./${name}.schema.json`, import.meta.url));
}
