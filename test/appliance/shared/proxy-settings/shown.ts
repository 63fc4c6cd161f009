/** Returns a command of sh, bash and zsh that prints a variable, or nothing if it is not set. */
export function shown(name: string): string {
  return `printf %s "\${${name}-}"`;
}
