/**
 * Variables as a file that systemd's EnvironmentFile= and `.` of a shell read alike. Values come
 * from a site, whose URLs and names hold no single quote and no line break.
 */
export function environmentFile(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}='${value}'\n`)
    .join('');
}
