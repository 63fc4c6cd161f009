import type { z } from 'zod';

type Schema = z.core.$ZodType;

/**
 * Returns the schema at a path with its wrappers (optional, default, …), or undefined if the schema
 * has no such path. The data selects the option of a tagged union.
 */
export function schemaAt(
  schema: Schema,
  path: readonly PropertyKey[],
  value: unknown,
): Schema | undefined {
  let current: Schema | undefined = schema;
  let data = value;
  for (const step of path) {
    current = current && child(current, step, data);
    data = memberOf(data, step);
  }
  return current;
}

/** Returns the keys of an object schema; none for other schemas. */
export function knownKeys(schema: Schema | undefined, value: unknown): string[] {
  const def = schema && unwrap(schema, value);
  return def?.type === 'object' ? Object.keys(def.shape) : [];
}

/** Returns the description of a schema or of a schema that it wraps. */
export function descriptionOf(schema: Schema | undefined): string | undefined {
  for (let next = schema; next; next = innerOf(next)) {
    if ('description' in next && typeof next.description === 'string') return next.description;
  }
  return undefined;
}

function child(schema: Schema, step: PropertyKey, value: unknown): Schema | undefined {
  const def = unwrap(schema, value);
  if (def?.type === 'object') return def.shape[String(step)];
  if (def?.type === 'record') return def.valueType;
  if (def?.type === 'array') return def.element;
  return undefined;
}

/** Returns the definition without wrappers; for a tagged union, the matching option. */
function unwrap(schema: Schema, value: unknown): z.core.$ZodTypes['_zod']['def'] | undefined {
  const inner = innerOf(schema);
  if (inner) return unwrap(inner, value);
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type !== 'union') return def;
  if (!('discriminator' in def)) {
    const mapping = def.options.find((each) => isMapping(each, value));
    return mapping && typeof value === 'object' ? unwrap(mapping, value) : def;
  }
  const tag = memberOf(value, String(def.discriminator));
  const option = def.options.find((each) => {
    const tags = each._zod.propValues?.[String(def.discriminator)];
    return tags ? [...tags].includes(tag as z.core.util.Primitive) : false;
  });
  return option && unwrap(option, value);
}

/** Returns whether a union option is an object: it applies if the value is a mapping. */
function isMapping(schema: Schema, value: unknown): boolean {
  return unwrap(schema, value)?.type === 'object';
}

/** Returns the definition of a schema without its wrappers; that of a union is the union's. */
export function bareDefinition(schema: Schema): z.core.$ZodTypes['_zod']['def'] {
  const inner = innerOf(schema);
  return inner ? bareDefinition(inner) : (schema as z.core.$ZodTypes)._zod.def;
}

function innerOf(schema: Schema): Schema | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'pipe') return def.in;
  if (def.type === 'lazy') return def.getter();
  return 'innerType' in def ? def.innerType : undefined;
}

/** Returns an own member of plain data, or undefined. */
export function memberOf(value: unknown, step: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as Record<PropertyKey, unknown>)[step];
}
