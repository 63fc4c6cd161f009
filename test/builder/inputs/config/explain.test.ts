import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { siteSchema } from '#contract/site/site.ts';
import { explain } from '#explain/explain.ts';
import { parseYaml } from '#yaml/parse.ts';
import { composeSchema } from '../../../../builder/bundle/compose/compose-schema.ts';
import { applianceSchema } from '../../../../builder/inputs/config/appliance-schema.ts';
import { lockSchema } from '../../../../builder/inputs/lock/lock.ts';

function explained(schema: z.ZodType, text: string): string[] {
  const file = parseYaml(Buffer.from(text), 'x.yaml');
  const parsed = schema.safeParse(file.value);
  if (parsed.success) return [];
  return explain(parsed.error, file, schema).map(
    ({ line, column, message, hint }) => `${line}:${column} ${message}${hint ? ` (${hint})` : ''}`,
  );
}

const schema = z.strictObject({
  mode: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('near'), metres: z.int().max(9) }),
    z.strictObject({ kind: z.literal('far'), place: z.string().describe('Where it is.') }),
  ]),
  ports: z.array(z.union([z.string(), z.looseObject({ target: z.int() })])).optional(),
  flag: z.boolean().default(false),
  small: z
    .string()
    .regex(/^[a-z]+$/, 'must be small letters')
    .optional(),
  names: z.record(z.string().regex(/^[a-z]+$/, 'must be small letters'), z.string()).optional(),
  last: z.literal(3).optional(),
});

describe('a problem with a value', () => {
  it.each([
    [
      'mode: { kind: far, place: x, palce: y }',
      '1:30 mode.palce is not a known key (Did you mean place?)',
    ],
    ['mode: { kind: far }', '1:1 mode.place is missing (Where it is.)'],
    ['mode: { kind: far, place: }', '1:20 mode.place must be a text, but is empty (Where it is.)'],
    ['mode: { kind: fra }', '1:15 mode.kind must be one of: near, far (Did you mean far?)'],
    ['mode: { kind: near, metres: 10 }', '1:29 mode.metres is too large: at most 9'],
    ['mode: { kind: near, metres: 1.5 }', '1:29 mode.metres must be a whole number, but is 1.5'],
    [
      'mode: { kind: near, metres: "5" }',
      '1:29 mode.metres must be a number, but is a text (Write it without quotes.)',
    ],
    ['mode: []', '1:7 mode must be a mapping of keys, but is a list'],
    ['ports: [[]]', '1:9 ports[0] must be a text or a mapping of keys, but is a list'],
    ['ports: [{ target: x }]', '1:19 ports[0].target must be a number, but is a text'],
    [
      'ports: 80',
      '1:8 ports must be a list, but is 80 (Start each entry with a dash, or write [a, b].)',
    ],
    ['flag: yes', '1:7 flag must be true or false, but is a text (Write true.)'],
    ['flag: Off', '1:7 flag must be true or false, but is a text (Write false.)'],
    ['flag: maybe', '1:7 flag must be true or false, but is a text (Write true or false.)'],
    ['flag: "true"', '1:7 flag must be true or false, but is a text (Write true, without quotes.)'],
    [
      'mode: { kind: far, place: 7 }',
      '1:27 mode.place must be a text, but is 7 (Put the value in quotes.)',
    ],
    ['small: 7', '1:8 small must be small letters'],
    ['small: true', '1:8 small must be a text, but is true (Put the value in quotes.)'],
    ['names: { A: x }', '1:10 names.A is not a valid name (The name must be small letters.)'],
    ['last: 4', '1:7 last must be 3'],
    [
      'completely: off',
      '1:1 completely is not a known key (Known keys: mode, ports, flag, small, names, last.)',
    ],
  ])('%s', (text, problem) => {
    expect(explained(schema, text)).toContain(problem);
  });

  it('reports a problem with a value once for several broken rules', () => {
    const strict = z.strictObject({ a: z.string().min(5).regex(/^x/).regex(/y$/) });
    expect(explained(strict, 'a: zz\n')).toHaveLength(1);
  });

  it('reports a problem with a value at the position of the merge or alias', () => {
    const aliases = z.strictObject({ x: z.unknown(), y: z.strictObject({ a: z.string() }) });
    expect(explained(aliases, 'x: &x\n  a: 1\ny: *x\n')[0]).toMatch(/^2:6 y\.a must be a text/);
    expect(explained(aliases, 'x: &x\n  a: 1\ny:\n  <<: *x\n')[0]).toMatch(/^3:1 y\.a must be/);
  });

  it('does not contain the value, which could be a secret', () => {
    const text = 'mode: hunter2\nports: [[hunter2]]\nflag: hunter2\nlast: hunter2\n';
    expect(explained(schema, text).join('\n')).not.toContain('hunter2');
  });

  it('limits the problems with values to fifty per file', () => {
    const keys = Array.from({ length: 200 }, (_, index) => `k${index}: 1`).join('\n');
    expect(explained(schema, keys)).toHaveLength(50);
  });
});

describe('an arbitrary YAML value', () => {
  const schemas = { siteSchema, applianceSchema, lockSchema, composeSchema, schema };
  const word = fc.oneof(
    fc.constantFrom('admin', 'tls', 'route', 'mode', 'components', 'image', 'services', 'ports'),
    // A merge key needs a map: the parser of YAML rejects it before any schema.
    fc.string({ maxLength: 8 }).filter((text) => text !== '<<'),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, 0, -1.5, 'acme', 'http-proxy', ''),
      word,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(word, tie('tree'), { maxKeys: 5 }),
    ),
  }));

  it.each(Object.entries(schemas))('does not crash the validation by the %s', (_name, each) => {
    fc.assert(
      fc.property(tree, (value) => {
        const text = stringify(value, { aliasDuplicateObjects: false });
        const file = parseYaml(Buffer.from(text), 'x.yaml');
        const { error } = each.safeParse(file.value);
        if (!error) return;
        const problems = explain(error, file, each);
        expect(problems.length).toBeGreaterThan(0);
        for (const { message, line, column } of problems) {
          expect(message).not.toMatch(/undefined|\[object|Invalid input|^Too/);
          expect(line).toBeGreaterThanOrEqual(1);
          expect(column).toBeGreaterThanOrEqual(1);
        }
      }),
    );
  });
});
