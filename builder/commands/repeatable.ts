/** For options that may be given again: keeps every value. */
export function collect(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}
