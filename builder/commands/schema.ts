import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Argument, Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { type SchemaName, schemaNames } from '../inputs/config/schema-names.ts';
import type { CommandContext } from './context.ts';

const example = `
Example:
  landfall schema site > site.schema.json

With this first line, an editor with a YAML language server completes and checks site.yaml:
  # yaml-language-server: $schema=./site.schema.json
`;

/** `landfall schema`: prints the JSON Schemas of appliance.yaml and site.yaml. */
export function schemaCommand(context: CommandContext) {
  return new Command('schema')
    .description('print the JSON Schema of appliance.yaml or site.yaml, for editors')
    .addArgument(
      new Argument('[file]', 'schema to print').choices(schemaNames).default('appliance'),
    )
    .option('--write', 'for maintainers: update the checked-in schemas and tables')
    .option('--check', 'for maintainers: fail if a checked-in copy is out of date')
    .addHelpText('after', example)
    .action(async (name, flags) => {
      const { jsonSchemaOf } = await import('../inputs/config/json-schemas.ts');
      if (flags.write) await writeAll();
      else if (flags.check) await checkAll();
      else context.stdout.write(jsonSchemaOf(name));
    });
}

/** A file that is generated from the code, or that has a generated table. */
interface GeneratedFile {
  readonly path: string;
  /** Returns the text that it should have. */
  readonly update: (text: string) => string | Promise<string>;
}

async function generatedFiles(): Promise<GeneratedFile[]> {
  const { jsonSchemaOf } = await import('../inputs/config/json-schemas.ts');
  const { withGenerated } = await import('../inputs/config/reference/markers.ts');
  const { withFieldTable } = await import('../inputs/config/reference/render.ts');
  const { withEffectTable } = await import('../inputs/config/reference/effects.ts');
  const { clientsDocument } = await import('#clients/client-document.ts');
  const { fitTable } = await import('./preview/fit-table.ts');
  const { licenseTable } = await import('../bundle/notice/table.ts');
  const site = JSON.parse(jsonSchemaOf('site'));
  return [
    ...schemaNames.map((name) => ({ path: schemaPath(name), update: () => jsonSchemaOf(name) })),
    { path: inDocs('site.md'), update: (text) => withFieldTable(text, site) },
    { path: inDocs('zh/site.md'), update: (text) => withFieldTable(text, site, 'zh') },
    { path: inDocs('site-changes.md'), update: (text) => withEffectTable(text, 'en') },
    { path: inDocs('zh/site-changes.md'), update: (text) => withEffectTable(text, 'zh') },
    ...(['en', 'zh'] as const).map((language) => ({
      path: inDocs(language === 'en' ? 'clients.md' : 'zh/clients.md'),
      update: (text: string) => withGenerated(text, 'clients', clientsDocument(language)),
    })),
    ...(['en', 'zh'] as const).map((language) => ({
      path: inDocs(language === 'en' ? 'start/sizes.md' : 'zh/start/sizes.md'),
      update: async (text: string) => withGenerated(text, 'contexts', await fitTable(language)),
    })),
    {
      path: inDocs('release/licences.md'),
      update: async (text) => withGenerated(text, 'licenses', await licenseTable()),
    },
  ];
}

async function writeAll(): Promise<void> {
  for (const { path, update } of await generatedFiles()) {
    await writeFile(path, await update(await textOf(path)));
  }
}

/** @throws LandfallError CONFIG_INVALID naming each outdated copy */
async function checkAll(): Promise<void> {
  const stale: string[] = [];
  for (const { path, update } of await generatedFiles()) {
    const text = await textOf(path);
    if (text !== (await update(text))) stale.push(path);
  }
  if (stale.length === 0) return;
  throw new LandfallError('CONFIG_INVALID', 'checked-in schemas or tables are out of date', {
    hint: 'Run `npm run schema` and commit the result.',
    problems: stale.map((file) => ({ message: 'does not match the code', file })),
  });
}

/** A schema that does not exist yet has no text. */
async function textOf(path: string): Promise<string> {
  return await readFile(path, 'utf8').catch(() => '');
}

function inDocs(name: string): string {
  return fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
}

/** Returns the path of the checked-in copy. */
export function schemaPath(name: SchemaName): string {
  return fileURLToPath(new URL(`../inputs/config/${name}.schema.json`, import.meta.url));
}
