import { Argument, Command } from 'commander';
import type { CommandContext } from '../actions/context.ts';
import type { SchemaFlags } from '../actions/schema.ts';
import { type SchemaName, schemaNames } from '../config/schema-names.ts';

const example = `
Example:
  landfall schema site > site.schema.json

With this first line, an editor with a YAML language server completes and checks site.yaml:
  # yaml-language-server: $schema=./site.schema.json
`;

/** `landfall schema`: prints the JSON Schemas of appliance.yaml and site.yaml. */
export function schemaCommand(context: CommandContext): Command {
  return new Command('schema')
    .description('print the JSON Schema of appliance.yaml or site.yaml, for editors')
    .addArgument(
      new Argument('[file]', 'schema to print').choices(schemaNames).default('appliance'),
    )
    .option('--write', 'for maintainers: update the checked-in schemas and tables')
    .option('--check', 'for maintainers: fail if a checked-in copy is out of date')
    .addHelpText('after', example)
    .action(async (name: SchemaName, flags: SchemaFlags) => {
      const { schemaAction } = await import('../actions/schema.ts');
      await schemaAction(context, name, flags);
    });
}
