import { isFile, removeFile, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { installPackages, missingPackages } from '../host/packages/apt.ts';
import type { Step } from './step.ts';

/** sudo ignores files with a dot in their name, and applies the last rule for a user. */
export const sudoersFile = 'etc/sudoers.d/90-landfall';
const candidate = 'run/landfall/sudoers';
const mode = 0o440;

/** Lets the administrator run everything as root without a password; the key authenticates them. */
export const sudoRights: Step = {
  async todo({ host, site: { admin } }) {
    const right = await isFile(host, sudoersFile, renderSudoers(admin.user), { mode });
    if (right && (await isInSudo(host, admin.user))) return undefined;
    return `allow ${admin.user} to become root with sudo`;
  },

  async apply({ host, site: { admin }, report }) {
    if ((await missingPackages(host, ['sudo'])).length > 0) {
      await installPackages(host, ['sudo'], (line) => report.say(line));
    }
    await host.run('usermod', ['--append', '--groups', 'sudo', admin.user]);
    const text = renderSudoers(admin.user);
    await writeText(host, candidate, text, { mode });
    try {
      // One invalid line disables sudo for all users.
      await host.run('visudo', ['--check', `--file=${host.path(candidate)}`]);
    } finally {
      await removeFile(host, candidate);
    }
    await writeText(host, sudoersFile, text, { mode });
  },
};

/** Renders the sudoers file. */
export function renderSudoers(user: string): string {
  return `# Made by Landfall. ${user} logs in with an SSH key.\n${user} ALL=(ALL:ALL) NOPASSWD: ALL\n`;
}

async function isInSudo(host: Host, user: string): Promise<boolean> {
  const { stdout } = await host.run('getent', ['group', 'sudo'], { accept: [2] });
  const members = stdout.trimEnd().split(':')[3] ?? '';
  return members.split(',').includes(user);
}
