import { existsSync } from 'node:fs';
import { inLanguage } from '#contract/text/language.ts';
import { withCandidate } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { install, isInPlace, type Service } from '../../server/host/service.ts';
import type { Measure } from '../../server/stage/measure.ts';

/** sudo ignores files with a dot in their name, and applies the last rule for a user. */
export const sudoersFile = 'etc/sudoers.d/90-landfall';
const candidate = 'run/landfall/sudoers';
const mode = 0o440;

/** Lets the administrator run everything as root without a password; the key authenticates them. */
export const sudoRights: Measure = {
  async check({ host, site: { admin } }) {
    if ((await isInPlace(host, serviceFor(admin.user))) && (await isInSudo(host, admin.user)))
      return [];
    return [
      inLanguage({
        en: `allow ${admin.user} to become root with sudo`,
        zh: `允许 ${admin.user} 用 sudo 成为 root`,
      }),
    ];
  },

  async apply({ host, site: { admin }, report }) {
    // The command and not the package: Ubuntu 26.04 has it from sudo-rs, and must not get a second one.
    if (!existsSync(host.path('usr/bin/sudo'))) await install(host, { packages: ['sudo'] }, report);
    await host.run('usermod', ['--append', '--groups', 'sudo', admin.user]);
    await install(host, serviceFor(admin.user));
  },
};

function serviceFor(user: string): Service {
  const [path, text] = [sudoersFile, renderSudoers(user)];
  return { files: [{ path, text, mode, verify }] };
}

/** One invalid line disables sudo for all users. */
async function verify(host: Host, text: string): Promise<void> {
  await withCandidate(host, candidate, { text, mode }, (path) =>
    host.run('visudo', ['--check', `--file=${path}`]),
  );
}

/** Lower-case words that sudoers(5) reads as the digest of a command. A quoted one is a name. */
const digests = /^sha(?:224|256|384|512)$/;

/** Renders the sudoers file. */
export function renderSudoers(user: string): string {
  const name = digests.test(user) ? `"${user}"` : user;
  return `# Made by Landfall. ${user} logs in with an SSH key.\n${name} ALL=(ALL:ALL) NOPASSWD: ALL\n`;
}

async function isInSudo(host: Host, user: string): Promise<boolean> {
  const { stdout } = await host.run('getent', ['group', 'sudo'], { accept: [2] });
  const members = stdout.trimEnd().split(':')[3] ?? '';
  return members.split(',').includes(user);
}
