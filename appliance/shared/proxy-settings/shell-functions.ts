import { LandfallError } from '#contract/errors.ts';
import { proxyVariables, type ShellProxy, variableNames } from './variables.ts';

/**
 * Returns a text in single quotes, which sh, bash, zsh and fish read alike.
 * @throws LandfallError USAGE for a quote, a backslash or a control character, which they read
 * differently
 */
export function quoted(text: string): string {
  if (!/['\\\p{Cc}]/u.test(text)) return `'${text}'`;
  throw new LandfallError('USAGE', 'a value contains a quote, a backslash or a control character', {
    hint: 'Percent-encode it in a URL, or use a folder without it.',
  });
}

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

/** What the functions of a shell need. */
interface ShellFiles {
  /** A comment that names who wrote the file. */
  readonly origin: string;
  /** Absolute path of the file that sets the variables; see {@link shellValues}. */
  readonly values: string;
}

/**
 * Renders `proxy_on` and `proxy_off` (SPEC 3.1) for sh, bash and zsh. Reading the file also sets the
 * variables without output. A user who may not read the values has the functions and no proxy.
 */
export function posixFunctions({ origin, values }: ShellFiles): string {
  const file = quoted(values);
  return `# ${origin}
proxy_on() {
  if [ ! -r ${file} ]; then
    echo "proxy_on: cannot read "${file} >&2
    return 1
  fi
  unset ${variableNames.join(' ')}
  . ${file}
  echo 'Proxy on'
}
proxy_off() {
  unset ${variableNames.join(' ')}
  echo 'Proxy off'
}
if [ -r ${file} ]; then . ${file}; fi
`;
}

/**
 * Renders the same functions for fish.
 * @param atLogin whether only login shells set the variables; other shells inherit them
 */
export function fishFunctions({ origin, values }: ShellFiles, atLogin: boolean): string {
  const file = quoted(values);
  return `# ${origin}
function proxy_on --description 'Use the proxy'
    if not test -r ${file}
        echo "proxy_on: cannot read "${file} >&2
        return 1
    end
    set --erase ${variableNames.join(' ')}
    source ${file}
    echo 'Proxy on'
end
function proxy_off --description 'Use no proxy'
    set --erase ${variableNames.join(' ')}
    echo 'Proxy off'
    return 0
end
if test -r ${file}${atLogin ? '; and status is-login' : ''}
    source ${file}
end
`;
}
