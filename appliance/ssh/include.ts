const line = 'Include /etc/ssh/sshd_config.d/*.conf';
/** The folder may be named from /etc/ssh or from the root; other patterns may miss our file. */
const include = /^include\s+"?(?:\/etc\/ssh\/)?sshd_config\.d\/\*\.conf"?\s*$/i;

/**
 * The text of sshd_config with the folder of settings files read before anything else in it. Old
 * images do not read the folder, and what stands above the line would overrule it.
 */
export function withInclude(text: string): string {
  const first = text.split('\n').find((each) => !/^\s*(?:#|$)/.test(each));
  if (first !== undefined && include.test(first.trim())) return text;
  return `# Added by Landfall: settings files come first.\n${line}\n\n${text}`;
}
