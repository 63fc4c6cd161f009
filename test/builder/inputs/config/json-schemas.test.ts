import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { schemaPath } from '../../../../builder/commands/schema.ts';
import { jsonSchemaOf } from '../../../../builder/inputs/config/json-schemas.ts';
import { schemaNames } from '../../../../builder/inputs/config/schema-names.ts';

const files = {
  appliance: '../../../../builder/inputs/appliance.yaml',
  site: '../../../../builder/inputs/config/example-site.yaml',
};

function validatorOf(name: (typeof schemaNames)[number]) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  return ajv.compile(JSON.parse(jsonSchemaOf(name)));
}

const contentOf = (name: keyof typeof files) =>
  parse(readFileSync(fileURLToPath(new URL(files[name], import.meta.url)), 'utf8'));

describe.each(schemaNames)('the JSON Schema of %s.yaml', (name) => {
  it('matches the generated one', () => {
    expect(readFileSync(schemaPath(name), 'utf8')).toBe(jsonSchemaOf(name));
  });

  it('accepts the file in the repository', () => {
    const validate = validatorOf(name);
    expect(validate(contentOf(name)), JSON.stringify(validate.errors)).toBe(true);
  });

  it('rejects a misspelled key', () => {
    const validate = validatorOf(name);
    expect(validate({ ...contentOf(name), misspelt: 1 })).toBe(false);
  });
});
