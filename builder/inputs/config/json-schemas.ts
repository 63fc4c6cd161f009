import { z } from 'zod';
import { siteSchema } from '#contract/site/site.ts';
import { applianceSchema } from './appliance-schema.ts';
import type { SchemaName } from './schema-names.ts';

const schemas: Readonly<Record<SchemaName, z.ZodType>> = {
  appliance: applianceSchema,
  site: siteSchema,
};

/** Returns the JSON Schema (2020-12) of a file for editors. Fields with defaults are optional. */
export function jsonSchemaOf(name: SchemaName): string {
  const schema = z.toJSONSchema(schemas[name], { io: 'input', unrepresentable: 'any' });
  return `${JSON.stringify({ title: `Landfall ${name}.yaml`, ...schema }, null, 2)}\n`;
}
