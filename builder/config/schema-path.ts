import { fileURLToPath } from 'node:url';
import type { SchemaName } from './json-schemas.ts';

/** Returns the path of the checked-in copy. */
export function schemaPath(name: SchemaName): string {
  return fileURLToPath(new URL(`./${name}.schema.json`, import.meta.url));
}
