/** Collects the values of a repeatable option. */
export function collect(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}
