import fc from 'fast-check';
import type { z } from 'zod';

/** Arbitraries for fields that random values rarely satisfy, by path: `admin.ssh_keys.*`. */
export type Overrides = Readonly<Record<string, fc.Arbitrary<unknown>>>;

interface Walk {
  readonly overrides: Overrides;
  /** Strings with a special meaning in some program; each field gets those that it accepts. */
  readonly texts: readonly string[];
}

/**
 * Any value that a schema accepts: every field, omitted if optional, with values of its type and
 * pattern. A new field of the schema is covered without a change here.
 */
export function arbitraryOf(schema: z.ZodType, walk: Walk, path = ''): fc.Arbitrary<unknown> {
  const override = walk.overrides[path];
  if (override) return override;
  // biome-ignore lint/suspicious/noExplicitAny: zod's definitions are a union of all kinds
  const def = (schema as any)._zod.def;
  const inner = (part: z.ZodType, name: string) => arbitraryOf(part, walk, join(path, name));
  switch (def.type) {
    case 'default':
    case 'optional':
    case 'prefault':
      return fc.option(arbitraryOf(def.innerType, walk, path), { nil: undefined, freq: 2 });
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries<z.ZodType>(def.shape).map(([name, part]) => [name, inner(part, name)]),
        ),
      );
    case 'array':
      return accepted(schema, fc.array(inner(def.element, '*'), { maxLength: 4 }));
    case 'record':
      return fc
        .array(fc.tuple(inner(def.keyType, 'key'), inner(def.valueType, '*')), { maxLength: 3 })
        .map((entries) => Object.fromEntries(entries));
    case 'union':
      return fc.oneof(...def.options.map((part: z.ZodType) => arbitraryOf(part, walk, path)));
    case 'literal':
      return fc.constantFrom(...def.values);
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries));
    case 'boolean':
      return fc.boolean();
    case 'number':
      return accepted(schema, fc.oneof(fc.integer({ min: 1, max: 65_535 }), fc.integer()));
    case 'string':
      return textOf(schema, walk);
    default:
      throw new Error(`${path}: there is no arbitrary for ${def.type}`);
  }
}

/** Strings of the pool that the schema accepts, and strings generated from its patterns. */
function textOf(schema: z.ZodType, { texts }: Walk): fc.Arbitrary<unknown> {
  const known = texts.filter((text) => schema.safeParse(text).success);
  const made = patternsOf(schema).map((pattern) =>
    fc.stringMatching(new RegExp(withoutLookarounds(pattern.source))),
  );
  const parts = [...(known.length > 0 ? [fc.constantFrom(...known)] : []), ...made];
  return accepted(schema, fc.oneof(...(parts.length > 0 ? parts : [fc.string()])));
}

function patternsOf(schema: z.ZodType): RegExp[] {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const { def } = (schema as any)._zod;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const checks = (def.checks ?? []).map((check: any) => check._zod.def.pattern);
  return [def.pattern, ...checks].filter((pattern) => pattern instanceof RegExp);
}

/** fast-check does not support `(?=…)` and `(?!…)`; the schema filters the results. */
function withoutLookarounds(source: string): string {
  const start = source.search(/\(\?[=!]/);
  if (start === -1) return source;
  let depth = 0;
  for (let at = start; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === '(') depth += 1;
    else if (source[at] === ')' && --depth === 0) {
      return withoutLookarounds(source.slice(0, start) + source.slice(at + 1));
    }
  }
  throw new Error(`${source} has a group without an end`);
}

function accepted(schema: z.ZodType, values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return values.filter((value) => schema.safeParse(value).success);
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
