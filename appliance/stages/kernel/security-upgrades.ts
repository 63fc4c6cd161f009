import type { Problem } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { Host } from '../../server/host/host.ts';
import { changeAptSettings } from '../../server/host/packages/lists.ts';
import { differences, install, installs, isEnabled } from '../../server/host/service.ts';
import type { Context } from '../../server/stage/stage.ts';
import type { KernelMeasure } from './measure.ts';

/** Sorts after the package's 20auto-upgrades and 50unattended-upgrades. */
export const upgradesFile = 'etc/apt/apt.conf.d/52landfall-upgrades';
const timers = ['apt-daily.timer', 'apt-daily-upgrade.timer'];

/**
 * Packages that are never upgraded automatically: an upgrade restarts the stack, or leaves an old
 * dockerd running with new tools. Regular expressions of unattended-upgrades, which compares the
 * beginnings of names, so each one is a family: `runc`, `runc-stable`, `runc-app`.
 */
const heldBack = ['docker\\.io', 'docker-(ce|cli|compose|buildx)', 'containerd', 'runc($|-)'];

const settings: Readonly<Record<string, string>> = {
  'APT::Periodic::Update-Package-Lists': '1',
  'APT::Periodic::Unattended-Upgrade': '1',
  'APT::Periodic::AutocleanInterval': '7',
  // Small steps limit the damage of a shutdown during an upgrade.
  'Unattended-Upgrade::MinimalSteps': 'true',
  'Unattended-Upgrade::Remove-Unused-Kernel-Packages': 'true',
};

/** Enables daily security upgrades, except for Docker, with reboots as the site configures. */
export const securityUpgrades: KernelMeasure = { check, apply, prove };

/** Renders the apt.conf(5) file of a site. */
export function upgradesText({ upgrades: { reboot } }: Pick<Site, 'upgrades'>): string {
  const all = {
    ...settings,
    'Unattended-Upgrade::Automatic-Reboot': reboot === 'never' ? 'false' : 'true',
    ...(reboot === 'never' ? {} : { 'Unattended-Upgrade::Automatic-Reboot-Time': reboot }),
  };
  return [
    '// Made by Landfall. Later files override this one.',
    ...Object.entries(all).map(([name, value]) => `${name} "${value}";`),
    'Unattended-Upgrade::Package-Blacklist {',
    ...heldBack.map((pattern) => `  "${pattern}";`),
    '};',
    '',
  ].join('\n');
}

function serviceFor(site: Pick<Site, 'upgrades'>) {
  const files = [{ path: upgradesFile, text: upgradesText(site) }];
  return { packages: ['unattended-upgrades'], files };
}

async function check({ host, site }: Context): Promise<string[]> {
  const { packages: missing, files } = await differences(host, serviceFor(site));
  const stopped = missing.length > 0 ? [] : await stoppedTimers(host);
  const { reboot } = site.upgrades;
  const reboots =
    reboot === 'never'
      ? { en: 'without reboots', zh: '不重启' }
      : { en: `with reboots at ${reboot} if required`, zh: `需要时在 ${reboot} 重启` };
  const enable = {
    en: `enable security upgrades, without Docker and ${reboots.en}`,
    zh: `启用自动安全更新，不含 Docker，${reboots.zh}`,
  };
  const start = {
    en: `start ${stopped.join(' and ')} at boot`,
    zh: `开机时启动 ${stopped.join('、')}`,
  };
  return [
    ...(missing.length > 0 ? [installs(missing)] : []),
    ...(files.length > 0 ? [inLanguage(enable)] : []),
    ...(stopped.length > 0 ? [inLanguage(start)] : []),
  ];
}

async function apply({ host, site, report }: Context): Promise<void> {
  const { packages, files } = serviceFor(site);
  await install(host, { packages }, report);
  await changeAptSettings(host, () => install(host, { files }));
  await host.run('systemctl', ['enable', '--now', ...timers]);
}

/** Checks the effective settings, except the time of reboots, which the administrator may change. */
async function prove({ host }: Context): Promise<Problem[]> {
  const { stdout } = await host.run('apt-config', ['dump', '--format', '%f=%v%n']);
  const effective = stdout.split('\n');
  const off = [
    'APT::Periodic::Update-Package-Lists=1',
    'APT::Periodic::Unattended-Upgrade=1',
    ...heldBack.map((pattern) => `Unattended-Upgrade::Package-Blacklist::=${pattern}`),
  ].filter((line) => !effective.includes(line));
  return [
    ...off.map((line) => ({
      message: `apt setting missing: ${line}`,
      hint: `Check for a later file in /etc/apt/apt.conf.d.`,
    })),
    ...(await stoppedTimers(host)).map((timer) => ({
      message: `${timer} is not enabled at boot`,
    })),
  ];
}

async function stoppedTimers(host: Host): Promise<string[]> {
  const enabled = await Promise.all(timers.map((timer) => isEnabled(host, timer)));
  return timers.filter((_, index) => enabled[index] === false);
}
