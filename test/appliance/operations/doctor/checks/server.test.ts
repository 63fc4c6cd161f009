import { describe, expect, it } from 'vitest';
import {
  banCheck,
  checkDisks,
  clockCheck,
  diskCheck,
  packagesCheck,
  releaseCheck,
  servicesCheck,
} from '../../../../../appliance/operations/doctor/checks/server.ts';
import { TemporaryHost } from '../../../temporary-host.ts';
import { look } from '../look.ts';

describe('the check of the clock', () => {
  const release = (created: string) => ({ release: { created } });

  it('trusts a synchronised clock', async () => {
    const host = TemporaryHost.with({}, { timedatectl: 'yes' });
    expect(await look(clockCheck, host)).toEqual([]);
  });

  it('finds a clock before the date of the release', async () => {
    const host = TemporaryHost.with({}, { timedatectl: 'yes' });
    expect(await look(clockCheck, host, release('2090-01-01T00:00:00Z'))).toEqual([
      ['CLOCK_WRONG', 'clock', expect.stringMatching(/^the clock is wrong: it shows .*before the/)],
    ]);
  });
});

const large = { folder: 'var', free: 20e9, size: 40e9, inodes: 0.9 };

describe('the check of the disks', () => {
  it('measures the file systems of the server', async () => {
    expect(await look(diskCheck, TemporaryHost.with({}))).toEqual([]);
  });

  it('finds a full one once, with a fix that keeps data', async () => {
    const full = { ...large, free: 0.1e9 };
    const [finding, ...rest] = checkDisks([{ ...full, folder: '.' }, full]);
    expect([finding?.code, finding?.text.en, rest]).toEqual([
      'DISK_FULL',
      'only 100 MB is free in /var',
      [],
    ]);
    const host = TemporaryHost.with(
      {},
      { 'apt-get clean': '', 'journalctl --vacuum-size=100M': '' },
    );
    await finding?.fix?.apply({ host, runStage: async () => {} });
    expect(host.ran).toEqual(['apt-get clean', 'journalctl --vacuum-size=100M']);
  });

  it('finds one without inodes, however much space it has', () => {
    expect(checkDisks([{ ...large, inodes: 0.001 }]).map(({ text }) => text.en)).toEqual([
      'the file system of /var has no free inodes',
    ]);
  });

  it('accepts a small one with a twentieth free', () => {
    expect(checkDisks([{ folder: 'tmp', free: 0.06e9, size: 1e9, inodes: 1 }])).toEqual([]);
  });
});

const audit = `The following packages are only half configured, probably due to problems
configuring them the first time.  The configuration should be retried using
dpkg --configure <package> or the configure menu option in dselect:
 ufw                  program for managing a Netfilter firewall
`;

describe('the check of packages', () => {
  it('accepts a complete installation', async () => {
    expect(await look(packagesCheck, TemporaryHost.with({}, { 'dpkg --audit': '' }))).toEqual([]);
  });

  it('finds an interrupted installation, and completes it', async () => {
    const host = TemporaryHost.with({}, { 'dpkg --audit': audit, 'dpkg --configure -a': '' });
    const [finding] = packagesCheck.needs === 'server' ? await packagesCheck.run(host) : [];
    expect(finding).toMatchObject({
      code: 'PACKAGES_BROKEN',
      details: ['ufw program for managing a Netfilter firewall'],
    });
    await finding?.fix?.apply({ host, runStage: async () => {} });
    expect(host.ran.at(-1)).toBe('dpkg --configure -a --force-confold');
  });
});

describe('the check of services', () => {
  it('finds failed units of Landfall, and ignores those of the administrator', async () => {
    const text =
      'landfall-firewall.service loaded failed failed Firewall\nmy-game.service loaded failed failed x\n';
    const host = TemporaryHost.with({}, { 'systemctl list-units --failed': text });
    expect(await look(servicesCheck, host)).toEqual([
      [
        'SERVICE_FAILED',
        'landfall-firewall.service',
        'the unit landfall-firewall.service has failed',
      ],
    ]);
  });
});

describe('the check of bans', () => {
  const active = 'systemctl is-active --quiet fail2ban.service';

  it('finds nothing while fail2ban answers', async () => {
    const host = TemporaryHost.with({}, { [active]: '', 'fail2ban-client ping': 'pong' });
    expect(await look(banCheck, host)).toEqual([]);
  });

  it('finds a fail2ban that is stopped, and starts it', async () => {
    const host = TemporaryHost.with(
      {},
      {
        [active]: 3,
        'systemctl reset-failed fail2ban.service': '',
        'systemctl restart fail2ban.service': '',
      },
    );
    const text = 'fail2ban is not running, so guessing clients are not banned';
    expect(await look(banCheck, host)).toEqual([['BAN_DOWN', 'fail2ban', text]]);
    const [finding] = banCheck.needs === 'server' ? await banCheck.run(host) : [];
    await finding?.fix?.apply({ host, runStage: async () => {} });
    expect(host.ran).toContain('systemctl restart fail2ban.service');
  });

  it('finds a fail2ban that hangs', async () => {
    const host = TemporaryHost.with({}, { [active]: '', 'fail2ban-client ping': 255 });
    const text = 'fail2ban does not answer, so guessing clients are not banned';
    expect(await look(banCheck, host)).toEqual([['BAN_DOWN', 'fail2ban', text]]);
  });
});

describe('the check of the release', () => {
  it('finds an expired one', async () => {
    const release = { expires: '2020-01-01T00:00:00Z' };
    expect(await look(releaseCheck, TemporaryHost.with({}), { release })).toEqual([
      ['RELEASE_EXPIRED', '1.0.0', 'release 1.0.0 expired on 2020-01-01T00:00:00Z'],
    ]);
  });

  it('accepts one that is valid', async () => {
    expect(await look(releaseCheck, TemporaryHost.with({}))).toEqual([]);
  });
});
