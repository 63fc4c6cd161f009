/** Returns the type of a value in words. Strings are not quoted: they could be long or secret. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping of keys';
  return typeof value === 'string' ? 'a text' : String(value);
}

const wantedKinds: Readonly<Record<string, string>> = {
  string: 'a text',
  array: 'a list',
  object: 'a mapping of keys',
  record: 'a mapping of keys',
  boolean: 'true or false',
  number: 'a number',
  int: 'a whole number',
  null: 'empty',
};

/** Returns the type that a schema requires, in the same words. */
export function wantedKind(expected: string): string {
  return wantedKinds[expected] ?? expected;
}
