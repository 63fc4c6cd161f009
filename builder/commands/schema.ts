import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Argument, Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { jsonSchemaOf, type SchemaName, schemaNames } from '../config/json-schemas.ts';
import { withFieldTable } from '../config/reference/render.ts';
import { schemaPath } from '../config/schema-path.ts';
import type { CommandContext } from './context.ts';

interface SchemaFlags {
  readonly write?: boolean;
  readonly check?: boolean;
}

const example = `
Example:
  landfall schema site > site.schema.json

With this first line, an editor with a YAML language server completes and checks site.yaml:
  # yaml-language-server: $schema=./site.schema.json
`;

/** `landfall schema`: prints the JSON Schemas of appliance.yaml and site.yaml. */
export function schemaCommand({ stdout }: CommandContext): Command {
  return new Command('schema')
    .description('print the JSON Schema of appliance.yaml or site.yaml, for editors')
    .addArgument(
      new Argument('[file]', 'schema to print').choices(schemaNames).default('appliance'),
    )
    .option('--write', 'for maintainers: update the checked-in copies of both schemas')
    .option('--check', 'for maintainers: fail if a checked-in copy is out of date')
    .addHelpText('after', example)
    .action(async (name: SchemaName, flags: SchemaFlags) => {
      if (flags.write) await writeAll();
      else if (flags.check) await checkAll();
      else stdout.write(jsonSchemaOf(name));
    });
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
