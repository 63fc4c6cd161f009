import { existsSync } from 'node:fs';
import { withCandidate } from '../../host/files.ts';
import type { Host } from '../../host/host.ts';

/** sudo ignores files with a dot in their name. */
export const sudoersFile = 'etc/sudoers.d/landfall-proxy';

/**
 * Renders the variables that sudo keeps. By default it drops them, so that a command as root would not
 * use the proxy or the certificate authorities of the site.
 */
export function keptBySudo(names: readonly string[]): string {
  return `# Made by Landfall. \`sudo landfall route off\` removes it.
Defaults:%sudo env_keep += "${names.join(' ')}"
`;
}

const candidate = 'run/landfall/sudoers-proxy';

/**
 * Checks a sudoers file with visudo, because one invalid line disables sudo for all users. Without
 * sudo there is nothing to disable, and the stage users installs it later.
 * @throws LandfallError COMMAND_FAILED
 */
export async function verifySudoers(host: Host, text: string): Promise<void> {
  if (!existsSync(host.path('usr/sbin/visudo'))) return;
  await withCandidate(host, candidate, { text, mode: 0o440 }, (path) =>
    host.run('visudo', ['--check', `--file=${path}`]),
  );
}
