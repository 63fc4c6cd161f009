import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { judgeSite } from '#contract/site/rules.ts';
import { siteSchema } from '#contract/site/site.ts';
import { jsonSchemaOf } from '../../../../builder/config/json-schemas.ts';
import {
  fieldsOf,
  fieldTable,
  withFieldTable,
} from '../../../../builder/config/reference/render.ts';

const path = fileURLToPath(new URL('../../../../docs/site.md', import.meta.url));
const document = readFileSync(path, 'utf8');
const schema = JSON.parse(jsonSchemaOf('site'));

describe('the reference of site.yaml', () => {
  it('has the table of fields generated from the schema', () => {
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

  it.each(['site', 'appliance'] as const)('has a meaning for each field: %s', (name) => {
    const unexplained = fieldsOf(JSON.parse(jsonSchemaOf(name)))
      .filter(({ description }) => description === '')
      .map((field) => field.name);
    expect(unexplained).toEqual([]);
  });

  it('has an example for each situation', () => {
    expect(examples.length).toBeGreaterThanOrEqual(5);
  });

  it.each(examples.map((text, index) => [index + 1, text] as const))(
    'has a valid example %i',
    (_index, text) => {
      const site = siteSchema.parse(parse(text));
      expect(judgeSite(site)).toEqual([]);
    },
  );
});
