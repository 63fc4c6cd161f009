import { quoted } from './quoted.ts';
import { proxyVariables, type ShellProxy } from './variables.ts';

/**
 * Renders the file that sets the proxy, for sh, bash, zsh and fish: fish has `export` too. It may
 * contain a password.
 * @param origin a comment that names who wrote the file
 */
export function shellValues(origin: string, proxy: ShellProxy): string {
  const lines = Object.entries(proxyVariables(proxy)).map(
    ([name, value]) => `export ${name}=${quoted(value)}\n`,
  );
  return `# ${origin}\n${lines.join('')}`;
}
