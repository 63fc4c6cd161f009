import { parseJson } from '../text/json.ts';
import { type Site, siteSchema } from './site.ts';

/**
 * Encodes an object as JSON in printable ASCII, one field per line. DEL and all non-ASCII characters
 * are escaped, because YAML and consoles may change them.
 */
export function asciiJson(fields: object): string {
  const lines = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{\n${lines.join(',\n')}\n}\n`.replaceAll(/[^\n -~]/g, escaped);
}

/** Escapes a UTF-16 code unit (RFC 8259, section 7). */
function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const defaults: Readonly<Record<string, unknown>> = siteSchema
  .omit({ release: true, admin: true })
  .parse({});

/**
 * Returns a site without fields that equal their default, to keep user-data short. The server reads
 * it with the same schema, which restores the defaults.
 */
export function briefSite(site: Site): Partial<Site> {
  const chosen = Object.entries(site).filter(
    ([name, value]) => !(name in defaults && isSameValue(value, defaults[name])),
  );
  return Object.fromEntries(chosen);
}

/** Returns whether two JSON values are equal, regardless of the order of fields. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameValue(one[name], other[name]))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Returns the fields of a site that differ from their defaults. A section without a default is split too. */
export function fieldsUnlikeDefaults(site: Site): SiteDifference[] {
  const { user } = siteSchema.shape.admin.shape;
  const all: typeof defaults = { ...defaults, admin: { user: user.parse(undefined) } };
  // In the order of the site.
  const before = Object.fromEntries(Object.keys(site).map((name) => [name, all[name]]));
  return [...fieldDifferences(before, parseJson(asciiJson(site)))].flatMap(splitSection);
}

function splitSection(difference: SiteDifference): SiteDifference[] {
  const { field, before, after } = difference;
  const isSplit = before === undefined && isSection(after) && Object.keys(after).length > 0;
  if (!isSplit) return [difference];
  return [...fieldDifferences({}, after, field)].flatMap(splitSection);
}

/** A field that two sites have otherwise. Undefined: the default. */
export interface SiteDifference {
  /** `hosts.ui`. A list is one field. */
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Returns what differs between a site without its defaults and another site, field by field.
 * @param before may be of another release
 */
export function siteDifferences(before: unknown, after: Site): SiteDifference[] {
  return [...fieldDifferences(before, parseJson(asciiJson(briefSite(after))))];
}

/**
 * Yields what differs between two JSON values, field by field.
 * @param field name of the values, before the names of their own fields
 */
export function* fieldDifferences(
  before: unknown,
  after: unknown,
  field = '',
): Generator<SiteDifference> {
  if (isSameValue(before, after)) return;
  if (!isSection(before) || !isSection(after)) return yield { field, before, after };
  // A provider may be called `constructor`.
  const fieldIn = (section: object, name: string) => new Map(Object.entries(section)).get(name);
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const below = field === '' ? name : `${field}.${name}`;
    yield* fieldDifferences(fieldIn(before, name), fieldIn(after, name), below);
  }
}

function isSection(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !Array.isArray(value);
}
