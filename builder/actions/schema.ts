import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { LandfallError } from '#contract/errors.ts';
import { jsonSchemaOf } from '../config/json-schemas.ts';
import { withFieldTable } from '../config/reference/render.ts';
import { type SchemaName, schemaNames } from '../config/schema-names.ts';
import type { CommandContext } from './context.ts';
import { schemaPath } from './schema-path.ts';

/** Options of `landfall schema`. */
export interface SchemaFlags {
  readonly write?: boolean;
  readonly check?: boolean;
}

/** Prints a schema, or writes or compares the copies. @throws LandfallError CONFIG_INVALID */
export async function schemaAction(
  { stdout }: CommandContext,
  name: SchemaName,
  flags: SchemaFlags,
): Promise<void> {
  if (flags.write) await writeAll();
  else if (flags.check) await checkAll();
  else stdout.write(jsonSchemaOf(name));
}

/** The document whose field table is generated from the schema. */
const siteReference = fileURLToPath(new URL('../../docs/site.md', import.meta.url));

async function currentReference(): Promise<string> {
  return withFieldTable(await readFile(siteReference, 'utf8'), JSON.parse(jsonSchemaOf('site')));
}

async function writeAll(): Promise<void> {
  for (const name of schemaNames) await writeFile(schemaPath(name), jsonSchemaOf(name));
  await writeFile(siteReference, await currentReference());
}

/** @throws LandfallError CONFIG_INVALID naming each outdated copy */
async function checkAll(): Promise<void> {
  const stale: string[] = [];
  for (const name of schemaNames) {
    const copy = await readFile(schemaPath(name), 'utf8').catch(() => '');
    if (copy !== jsonSchemaOf(name)) stale.push(schemaPath(name));
  }
  const reference = await readFile(siteReference, 'utf8');
  if (reference !== (await currentReference())) stale.push(siteReference);
  if (stale.length === 0) return;
  throw new LandfallError('CONFIG_INVALID', 'checked-in schemas are out of date', {
    hint: 'Run `npm run schema` and commit the result.',
    problems: stale.map((file) => ({ message: 'does not match the code', file })),
  });
}
