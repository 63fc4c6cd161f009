import { execFileSync } from 'node:child_process';
import { existsSync, utimesSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listsAreFresh, markListsFresh } from '../../../../appliance/server/host/packages/lists.ts';
import {
  securityUpgrades,
  upgradesFile,
  upgradesText,
} from '../../../../appliance/stages/kernel/security-upgrades.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const never = { upgrades: { reboot: 'never' as const } };
const installed = 'unattended-upgrades installed';
const defaults = {
  'dpkg-query': installed,
  'systemctl enable --now apt-daily': '',
  'systemctl is-enabled --quiet apt-daily': '',
};

/** Returns the effective settings of the real apt with the file, after those of the package. */
function dump(text: string): string {
  const host = TemporaryHost.with({
    'apt.conf': `APT::Periodic::Unattended-Upgrade "0";\n${text}`,
  });
  return execFileSync('apt-config', ['dump', '--format', '%f=%v%n'], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', APT_CONFIG: host.path('apt.conf') },
  });
}

describe('the configuration of security upgrades', () => {
  it('enables them regardless of the defaults of the package', () => {
    const effective = dump(upgradesText(never)).split('\n');
    expect(effective).toEqual(
      expect.arrayContaining([
        'APT::Periodic::Unattended-Upgrade=1',
        'Unattended-Upgrade::Automatic-Reboot=false',
      ]),
    );
  });

  it('reboots only at the time that the site sets', () => {
    const effective = dump(upgradesText({ upgrades: { reboot: '03:30' } })).split('\n');
    expect(effective).toEqual(
      expect.arrayContaining([
        'Unattended-Upgrade::Automatic-Reboot=true',
        'Unattended-Upgrade::Automatic-Reboot-Time=03:30',
      ]),
    );
  });

  it.each([
    'docker.io',
    'docker-ce',
    'docker-ce-cli',
    'docker-cli',
    'docker-compose-plugin',
    'containerd',
    'docker-buildx',
    'containerd.io',
    'containerd-stable',
    'runc',
    'runc-stable',
  ])('excludes %s, which Landfall updates', (name) => {
    expect(heldBack(name)).toBe(true);
  });

  it.each([
    'openssl',
    'linux-image-amd64',
    'libc6',
    'dockerize',
    'python3-docker',
    'runcible',
    'docker-registry',
  ])('includes %s', (name) => {
    expect(heldBack(name)).toBe(false);
  });

  /** unattended-upgrades matches from the beginning, like re.match of Python. */
  function heldBack(name: string): boolean {
    const patterns = [...dump(upgradesText(never)).matchAll(/^.*Package-Blacklist::=(.*)$/gm)];
    return patterns.some(([, pattern = '']) => new RegExp(`^(?:${pattern})`).test(name));
  }
});

describe('the security upgrades of a server', () => {
  it('completes the security upgrades with package, configuration and timers', async () => {
    const host = TemporaryHost.with({}, defaults);
    const context = contextFor(host);
    expect(await securityUpgrades.check(context)).toEqual([
      'enable security upgrades, without Docker and without reboots',
    ]);
    await securityUpgrades.apply(context);
    expect(host.ran).toContain('systemctl enable --now apt-daily.timer apt-daily-upgrade.timer');
    expect(await securityUpgrades.check(context)).toEqual([]);
  });

  it.each([true, false])('do not change whether the package lists are fresh: %s', async (fresh) => {
    const host = TemporaryHost.with({ 'etc/apt/apt.conf.d/50x': '' }, defaults);
    if (fresh) await markListsFresh(host);
    const age = (path: string, seconds: number) => {
      const time = new Date(Date.now() - seconds * 1000);
      if (existsSync(host.path(path))) utimesSync(host.path(path), time, time);
    };
    age('etc/apt/apt.conf.d', 120);
    age('run/landfall/packages-read', 60);
    await securityUpgrades.apply(contextFor(host));
    expect(await listsAreFresh(host)).toBe(fresh);
  });

  it('show the reboot time in the plan', async () => {
    const site = { upgrades: { reboot: '03:30' } };
    const context = contextFor(TemporaryHost.with({}, defaults), { site });
    expect(await securityUpgrades.check(context)).toEqual([
      'enable security upgrades, without Docker and with reboots at 03:30 if required',
    ]);
  });

  it('show missing packages in the plan', async () => {
    const context = contextFor(TemporaryHost.with({}, { 'dpkg-query': 1 }));
    expect((await securityUpgrades.check(context))[0]).toBe('install unattended-upgrades');
  });

  it('reports disabled timers, so that an interrupted run is completed', async () => {
    const answers = { 'dpkg-query': installed, 'systemctl is-enabled': 1 };
    const context = contextFor(
      TemporaryHost.with({ [upgradesFile]: upgradesText(never) }, answers),
    );
    expect(await securityUpgrades.check(context)).toEqual([
      'start apt-daily.timer and apt-daily-upgrade.timer at boot',
    ]);
  });

  it('verifies security upgrades with the effective settings of apt, with or without reboots', async () => {
    const reboots = 'Unattended-Upgrade::Automatic-Reboot "true";\n';
    const proved = await prove(dump(`${upgradesText(never)}${reboots}`));
    expect(proved).toEqual([]);
  });

  it('reports what a later file disabled', async () => {
    const off = 'APT::Periodic::Unattended-Upgrade "0";\n';
    expect(await prove(dump(`${upgradesText(never)}${off}`))).toEqual([
      {
        message: 'apt setting missing: APT::Periodic::Unattended-Upgrade=1',
        hint: `Check for a later file in /etc/apt/apt.conf.d.`,
      },
    ]);
  });

  it('report a timer that is not enabled', async () => {
    const problems = await prove(dump(upgradesText(never)), 1);
    expect(problems.map(({ message }) => message)).toEqual([
      'apt-daily.timer is not enabled at boot',
      'apt-daily-upgrade.timer is not enabled at boot',
    ]);
  });

  async function prove(effective: string, enabled = 0) {
    const answers = { 'apt-config': effective, 'systemctl is-enabled': enabled };
    const host = TemporaryHost.with({}, answers);
    return await securityUpgrades.prove(contextFor(host));
  }
});
