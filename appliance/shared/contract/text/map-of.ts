/** Returns a table that is read with text from outside. An object also has an entry for `constructor`. */
export function mapOf<Value>(entries: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> {
  return new Map(Object.entries(entries));
}
