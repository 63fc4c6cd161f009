import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checkSite } from '#contract/site/rules.ts';
import { siteSchema } from '#contract/site/site.ts';
import { jsonSchemaOf } from '../../../../../builder/inputs/config/json-schemas.ts';
import {
  fieldsOf,
  fieldTable,
  withFieldTable,
} from '../../../../../builder/inputs/config/reference/render.ts';

const path = fileURLToPath(new URL('../../../../../docs/site.md', import.meta.url));
const document = readFileSync(path, 'utf8');
const schema = JSON.parse(jsonSchemaOf('site'));

describe('the reference of site.yaml', () => {
  it('generates the table of fields in the reference of site.yaml from the schema', () => {
    expect(withFieldTable(document, schema)).toBe(document);
  });

  it('contains every field of the schema', () => {
    const table = fieldTable(schema);
    for (const name of Object.keys(siteSchema.shape)) expect(table).toContain(`| \`${name}\` |`);
    expect(table).toContain('| `tls.server.url` |');
    expect(table).toContain('| `providers.<name>.base_url` |');
    expect(table).toContain('| `route.mode` | `direct` or `http-proxy` or `socks5` or `client` |');
  });

  const examples = [...document.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text);

  it.each(['site', 'appliance'] as const)('explains each field in the reference: %s', (name) => {
    const unexplained = fieldsOf(JSON.parse(jsonSchemaOf(name)))
      .filter(({ description }) => description === '')
      .map((field) => field.name);
    expect(unexplained).toEqual([]);
  });

  it('contains an example for each situation of site.yaml', () => {
    expect(examples.length).toBeGreaterThanOrEqual(5);
  });

  it.each(examples.map((text, index) => [index + 1, text] as const))(
    'contains a valid example %i of site.yaml',
    (_index, text) => {
      const site = siteSchema.parse(parse(text));
      expect(checkSite(site)).toEqual([]);
    },
  );
});
