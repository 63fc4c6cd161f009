import { fileURLToPath } from 'node:url';
import type { SchemaName } from '../config/schema-names.ts';

/** Returns the path of the checked-in copy. */
export function schemaPath(name: SchemaName): string {
  return fileURLToPath(new URL(`../config/${name}.schema.json`, import.meta.url));
}
