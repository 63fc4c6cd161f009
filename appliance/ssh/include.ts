const line = 'Include /etc/ssh/sshd_config.d/*.conf';
/** The path may be absolute or relative to /etc/ssh; other patterns may not match our file. */
const include = /^include\s+"?(?:\/etc\/ssh\/)?sshd_config\.d\/\*\.conf"?\s*$/i;

/**
 * Returns sshd_config with the Include line of sshd_config.d first. Old images lack the line, and
 * settings above it would take precedence.
 */
export function withInclude(text: string): string {
  const first = text.split('\n').find((each) => !/^\s*(?:#|$)/.test(each));
  if (first !== undefined && include.test(first.trim())) return text;
  return `# Added by Landfall: settings files are read first.\n${line}\n\n${text}`;
}
