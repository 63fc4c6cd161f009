import { installedMark } from '#contract/server-paths.ts';
import { startBootstrap, type UserDataContent } from './cloud-config.ts';
import type { ServerFile } from './server-file.ts';

/** Ends a file. No file of user-data has such a line. */
const end = 'END_OF_LANDFALL_FILE';

/** Stands for tabs, which a terminal without bracketed paste takes for the key that completes words. */
const tab = '~';

/** The folder of cloud-init's certificates, whose names the server knows. */
const certificateFolder = '/usr/local/share/ca-certificates';

/**
 * Renders a POSIX script that does as root what cloud-init does with the cloud-config: the same files, byte for
 * byte, and the same start. Parentheses make a shell read all of it before it runs anything, so that
 * a truncated paste has no effect.
 */
export function shellScript({
  comment,
  files,
  certificates = [],
  commands = [],
  waitingFor = [],
}: UserDataContent): string {
  const isPushed = waitingFor.length > 0;
  return [
    '#!/bin/sh',
    ...comment.map((line) => `# ${line}`),
    `# In the files below, ${tab} stands for a tab.`,
    '(',
    'set -eu',
    'root=${LANDFALL_ROOT-} # for tests',
    'fail() { echo "landfall: $1; nothing was changed" >&2; exit 1; }',
    '[ "$(id -u)" = 0 ] || fail "this script must be run as root"',
    `[ ! -e "$root/${installedMark}" ] || fail "this server is already set up"`,
    'put() {',
    ' umask 022; mkdir -p "$root${1%/*}"',
    ' umask "$2"; rm -f "$root$1"; cat >"$root$1"',
    '}',
    ...certificates.flatMap((pem, index) =>
      put({
        path: `${certificateFolder}/cloud-init-ca-cert-${index + 1}.crt`,
        content: `${pem.trim()}\n`,
        secret: false,
      }),
    ),
    ...(certificates.length > 0 ? ['update-ca-certificates'] : []),
    ...logins(waitingFor),
    ...files.flatMap(put),
    ...commands.map((command) => `${command} || :`),
    ...(isPushed ? [] : [startBootstrap]),
    `echo "landfall: ${isPushed ? 'waiting for landfall push root@<server>' : 'started; follow it with: journalctl -fu landfall-boot'}"`,
    ')',
    '',
  ].join('\n');
}

/** Like `|` in the cloud-config, keeps one line break at the end of a file. */
function put({ path, content, secret }: ServerFile): string[] {
  const text = content.replace(/\n+$/, '');
  const call = `put ${path} ${secret ? '077' : '022'}`;
  if (!text.includes('\t')) return [`${call} <<'${end}'`, text, end];
  if (text.includes(tab)) throw new TypeError(`${path} contains both a tab and ${tab}`);
  return [`tr '${tab}' '\\t' <<'${end}' | ${call}`, text.replaceAll('\t', tab), end];
}

/** Lets the administrators log in as root, to send the bundle. */
function logins(keys: readonly string[]): string[] {
  if (keys.length === 0) return [];
  const file = '"$root/root/.ssh/authorized_keys"';
  return [
    'umask 077; mkdir -p "$root/root/.ssh"',
    `cat >>${file} <<'${end}'`,
    ...keys.map((key) => key.split(' ').slice(0, 2).join(' ')),
    end,
  ];
}
