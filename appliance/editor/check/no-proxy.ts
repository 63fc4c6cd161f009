/**
 * Returns whether an exemption of VS Code matches a host. Its rules differ from those of most
 * programs: an entry matches the end of the name, `*` everything, and ranges and `*.x` nothing.
 */
export function isExemptInEditor(host: string, port: string, entries: readonly string[]): boolean {
  const name = host.toLowerCase();
  return entries.some((given) => {
    const entry = given.trim().toLowerCase();
    if (entry === '*') return true;
    const [suffix = '', only] = entry.split(':');
    if (suffix === '' || (only !== undefined && only !== port)) return false;
    return suffix.startsWith('.')
      ? name.endsWith(suffix) || name === suffix.slice(1)
      : name === suffix || name.endsWith(`.${suffix}`);
  });
}

/** Returns the entries that VS Code never matches. */
export function uselessEntries(entries: readonly string[]): string[] {
  return entries.filter((entry) => entry.includes('/') || /^\*./.test(entry.trim()));
}
