import { isFile, removeFile, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { installPackages, missingPackages } from '../host/packages/apt.ts';
import type { Step } from './step.ts';

/** sudo reads no file with a dot in its name; of several rules for a user, the last one counts. */
export const sudoersFile = 'etc/sudoers.d/90-landfall';
const candidate = 'run/landfall/sudoers';
const mode = 0o440;

/** The owner may do everything as root, without a password: the key was the proof. */
export const sudoRights: Step = {
  async todo({ host, site: { admin } }) {
    const right = await isFile(host, sudoersFile, renderSudoers(admin.user), { mode });
    if (right && (await isInSudo(host, admin.user))) return undefined;
    return `let ${admin.user} act as root with sudo`;
  },

  async apply({ host, site: { admin }, report }) {
    if ((await missingPackages(host, ['sudo'])).length > 0) {
      await installPackages(host, ['sudo'], (line) => report.say(line));
    }
    await host.run('usermod', ['--append', '--groups', 'sudo', admin.user]);
    const text = renderSudoers(admin.user);
    await writeText(host, candidate, text, { mode });
    try {
      // One wrong line would take sudo away from everybody.
      await host.run('visudo', ['--check', `--file=${host.path(candidate)}`]);
    } finally {
      await removeFile(host, candidate);
    }
    await writeText(host, sudoersFile, text, { mode });
  },
};

/** The text of the file for sudo. */
export function renderSudoers(user: string): string {
  return `# Made by Landfall. Who logs in as ${user} has shown a key.\n${user} ALL=(ALL:ALL) NOPASSWD: ALL\n`;
}

async function isInSudo(host: Host, user: string): Promise<boolean> {
  const { stdout } = await host.run('getent', ['group', 'sudo'], { accept: [2] });
  const members = stdout.trimEnd().split(':')[3] ?? '';
  return members.split(',').includes(user);
}
