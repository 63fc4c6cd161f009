import type { Problem } from '#contract/errors.ts';
import { installPackages, missingPackages } from '../host/apt.ts';
import { isFile, writeText } from '../host/files.ts';
import { isEnabled } from '../host/systemd.ts';
import type { Context } from '../stage/stage.ts';
import type { Measure } from './measure.ts';

const packages = ['unattended-upgrades'];
/** Behind the package's own 20auto-upgrades and 50unattended-upgrades. */
export const upgradesFile = 'etc/apt/apt.conf.d/52landfall-upgrades';
const timers = ['apt-daily.timer', 'apt-daily-upgrade.timer'];

/**
 * Never by themselves: an upgrade of these restarts the stack, or leaves an old engine running with
 * new parts. Regular expressions, as unattended-upgrades takes them.
 */
const heldBack = [
  'docker\\.io$',
  'docker-cli$',
  'docker-ce',
  'docker-compose',
  'docker-buildx',
  'containerd',
  'runc$',
];

const settings: Readonly<Record<string, string>> = {
  'APT::Periodic::Update-Package-Lists': '1',
  'APT::Periodic::Unattended-Upgrade': '1',
  'APT::Periodic::AutocleanInterval': '7',
  // Whoever wants reboots by themselves says so in a later file.
  'Unattended-Upgrade::Automatic-Reboot': 'false',
  // A shutdown in the middle then interrupts little.
  'Unattended-Upgrade::MinimalSteps': 'true',
  'Unattended-Upgrade::Remove-Unused-Kernel-Packages': 'true',
};

/** Security upgrades by themselves every day, but for the engine, and without reboots. */
export const securityUpgrades: Measure = { check, apply, prove };

export function upgradesText(): string {
  return [
    '// Made by Landfall. A later file counts more, such as one for reboots at night:',
    '//   Unattended-Upgrade::Automatic-Reboot "true";',
    '//   Unattended-Upgrade::Automatic-Reboot-Time "03:30";',
    ...Object.entries(settings).map(([name, value]) => `${name} "${value}";`),
    'Unattended-Upgrade::Package-Blacklist {',
    ...heldBack.map((pattern) => `  "${pattern}";`),
    '};',
    '',
  ].join('\n');
}

async function check({ host }: Context): Promise<string[]> {
  const missing = await missingPackages(host, packages);
  return [
    ...(missing.length > 0 ? [`install ${missing.join(', ')}`] : []),
    ...((await isFile(host, upgradesFile, upgradesText()))
      ? []
      : ['turn on security upgrades, without the engine and without reboots']),
  ];
}

async function apply({ host, report }: Context): Promise<void> {
  await installPackages(host, packages, (line) => report.say(line));
  await writeText(host, upgradesFile, upgradesText());
  await host.run('systemctl', ['enable', '--now', ...timers]);
}

/** An owner may have chosen reboots; everything else is as we set it. */
async function prove({ host }: Context): Promise<Problem[]> {
  const { stdout } = await host.run('apt-config', ['dump', '--format', '%f=%v%n']);
  const effective = stdout.split('\n');
  const off = [
    'APT::Periodic::Update-Package-Lists=1',
    'APT::Periodic::Unattended-Upgrade=1',
    ...heldBack.map((pattern) => `Unattended-Upgrade::Package-Blacklist::=${pattern}`),
  ].filter((line) => !effective.includes(line));
  const stopped = await Promise.all(timers.map((timer) => isEnabled(host, timer)));
  return [
    ...off.map((line) => ({
      message: `apt has not ${line}`,
      hint: `A file behind /${upgradesFile} sets it otherwise.`,
    })),
    ...timers
      .filter((_, index) => stopped[index] === false)
      .map((timer) => ({ message: `${timer} does not start at boot`, hint: undefined })),
  ];
}
