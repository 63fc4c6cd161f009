/**
 * Renders variables as a file for both systemd's EnvironmentFile= and the shell's `.`. Values come
 * from a validated site and contain no single quote and no line break.
 */
export function environmentFile(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('');
}
