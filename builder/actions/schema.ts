import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { LandfallError } from '#contract/errors.ts';
import { jsonSchemaOf } from '../config/json-schemas.ts';
import { withGenerated } from '../config/reference/markers.ts';
import { withFieldTable } from '../config/reference/render.ts';
import { type SchemaName, schemaNames } from '../config/schema-names.ts';
import { licenseTable } from '../notice/table.ts';
import type { CommandContext } from './context.ts';

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

/** A document with a generated table, and a function that updates the table. */
interface GeneratedDocument {
  readonly path: string;
  readonly update: (text: string) => string | Promise<string>;
}

const documents: readonly GeneratedDocument[] = [
  {
    path: fileURLToPath(new URL('../../docs/site.md', import.meta.url)),
    update: (text) => withFieldTable(text, JSON.parse(jsonSchemaOf('site'))),
  },
  {
    path: fileURLToPath(new URL('../../docs/zh/site.md', import.meta.url)),
    update: (text) => withFieldTable(text, JSON.parse(jsonSchemaOf('site')), 'zh'),
  },
  {
    path: fileURLToPath(new URL('../../docs/licences.md', import.meta.url)),
    update: async (text) => withGenerated(text, 'licenses', await licenseTable()),
  },
];

async function writeAll(): Promise<void> {
  for (const name of schemaNames) await writeFile(schemaPath(name), jsonSchemaOf(name));
  for (const { path, update } of documents) {
    await writeFile(path, await update(await readFile(path, 'utf8')));
  }
}

/** @throws LandfallError CONFIG_INVALID naming each outdated copy */
async function checkAll(): Promise<void> {
  const stale: string[] = [];
  for (const name of schemaNames) {
    const copy = await readFile(schemaPath(name), 'utf8').catch(() => '');
    if (copy !== jsonSchemaOf(name)) stale.push(schemaPath(name));
  }
  for (const { path, update } of documents) {
    const text = await readFile(path, 'utf8');
    if (text !== (await update(text))) stale.push(path);
  }
  if (stale.length === 0) return;
  throw new LandfallError('CONFIG_INVALID', 'checked-in schemas or tables are out of date', {
    hint: 'Run `npm run schema` and commit the result.',
    problems: stale.map((file) => ({ message: 'does not match the code', file })),
  });
}

/** Returns the path of the checked-in copy. */
export function schemaPath(name: SchemaName): string {
  return fileURLToPath(new URL(`../config/${name}.schema.json`, import.meta.url));
}
