import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  banStage,
  confirmFirewall,
  isFirewallUnconfirmed,
} from '../../../../appliance/stages/ban/stage.ts';
import { aptAnswers, policyOf, probeAnswers, sshAnswers } from '../../answers.ts';
import { contextFor } from '../../context.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

const installed = ['fail2ban', 'python3-systemd', 'logrotate']
  .map((name) => `${name} installed\n`)
  .join('');
const fine: Answers = {
  'dpkg-query': installed,
  ...sshAnswers,
  'systemctl daemon-reload': '',
  'loginctl list-sessions': '',
  'nft list set inet landfall banned-': 'table inet landfall {}\n',
  'systemctl enable --quiet fail2ban.service': '',
  'systemctl is-active --quiet fail2ban.service': '',
  'systemctl is-enabled --quiet fail2ban.service': '',
  'systemctl restart fail2ban.service': '',
  'fail2ban-client status sshd': 'Status for the jail: sshd\n',
  'fail2ban-client get': 'The jail has the following actions:\nlandfall\n',
};
const jails = 'etc/fail2ban/jail.d/landfall.conf';
const log = 'var/lib/landfall/gateway-log/access.log';

describe('the ban stage', () => {
  it('writes its files before fail2ban starts, and then has nothing to do', async () => {
    const host = TemporaryHost.with({}, fine);
    const context = contextFor(host);
    expect(await banStage.check(context)).toEqual([
      expect.stringMatching(/^write .*landfall\.conf/),
    ]);
    await banStage.apply(context);
    expect(host.ran.at(-1)).toBe('systemctl restart fail2ban.service');
    expect(await banStage.check(context)).toEqual([]);
    await banStage.prove(context);
  });

  it('starts fail2ban once, after the installation of all packages', async () => {
    const held: boolean[] = [];
    const see = () => {
      held.push(existsSync(host.path('run/systemd/system/fail2ban.service.d')));
      return 0;
    };
    const answers: Answers = {
      ...aptAnswers,
      'dpkg-query': 1,
      'systemctl is-active --quiet fail2ban.service': 3,
      'apt-get': (line) => (line.includes('install --yes') ? see() : 0),
    };
    const host: TemporaryHost = TemporaryHost.with({}, { ...fine, ...answers });
    await banStage.apply(contextFor(host));
    expect(held).toEqual([true]);
    expect(host.ran.filter((line) => /reload|start /.test(line))).toEqual([
      'systemctl daemon-reload',
      'systemctl restart fail2ban.service',
    ]);
  });

  it('installs the packages that fail2ban needs to read the journal on Debian 12', async () => {
    const host = TemporaryHost.with({}, { ...fine, 'dpkg-query': 'fail2ban installed\n' });
    expect(await banStage.check(contextFor(host))).toContain('install python3-systemd, logrotate');
  });

  it.each([
    ['1.0.2-3', 'fail2ban 1.0.2-3 does not start with Python 3.12', /1\.0\.2-3ubuntu0\.1/],
    ['1.1.0-8', 'fail2ban does not respond', undefined],
  ])('names the version that works if fail2ban %s has failed', async (version, message, hint) => {
    const host = TemporaryHost.with(
      {},
      {
        ...fine,
        'fail2ban-client status sshd': 255,
        'systemctl is-failed --quiet fail2ban.service': 0,
        'apt-cache policy fail2ban': policyOf('fail2ban', version),
      },
    );
    await expect(banStage.prove(contextFor(host))).rejects.toMatchObject({
      code: 'STAGE_FAILED',
      problems: [hint ? { message, hint: expect.stringMatching(hint) } : { message }],
    });
  });

  it('creates the log file that a jail requires, and keeps an existing one', async () => {
    const host = TemporaryHost.with({}, fine);
    await banStage.apply(contextFor(host));
    expect(statSync(host.path(log)).size).toBe(0);
    writeFileSync(host.path(log), 'a request\n');
    await banStage.apply(contextFor(host));
    expect(readFileSync(host.path(log), 'utf8')).toBe('a request\n');
  });

  it('never bans addresses that are logged in during the stage', async () => {
    const session = {
      'loginctl list-sessions': '3 x\n',
      'loginctl show-session': 'RemoteHost=203.0.113.7\n',
    };
    const host = TemporaryHost.with({}, { ...fine, ...session });
    await banStage.apply(contextFor(host));
    expect(readFileSync(host.path(jails), 'utf8')).toMatch(/^ignoreip = .* 203\.0\.113\.7$/m);
    expect(readFileSync(host.path('etc/landfall/ban.json'), 'utf8')).toContain('203.0.113.7');
  });

  // Regression: the doctor found a pending change on every healthy server over SSH.
  it('reports no pending change of the stage ban after another login', async () => {
    let sessions = '';
    const host = TemporaryHost.with(
      {},
      {
        ...fine,
        'loginctl list-sessions': () => sessions,
        'loginctl show-session': 'RemoteHost=203.0.113.7\n',
      },
    );
    await banStage.apply(contextFor(host));
    sessions = '3 x\n';
    expect(await banStage.check(contextFor(host))).toEqual([]);
  });

  it.each([
    [
      'a jail is not running',
      { 'fail2ban-client get gateway-scan': 255 },
      /gateway-scan is not running/,
    ],
    [
      'a jail has another action',
      { 'fail2ban-client get sshd': 'nftables\n' },
      /sshd is not running with Landfall's action/,
    ],
    ['a set is missing', { 'nft list set inet landfall banned-sshd-6': 1 }, /no set banned-sshd-6/],
  ])('fails its verification when %s', async (_what, answers, message) => {
    const host = TemporaryHost.with({}, { ...fine, ...answers });
    await expect(banStage.prove(contextFor(host))).rejects.toMatchObject({
      code: 'STAGE_FAILED',
      problems: [expect.objectContaining({ message: expect.stringMatching(message) })],
    });
  });
});

describe('an unconfirmed firewall', () => {
  const undo = 'var/lib/landfall/undo/firewall.sh';

  const table = 'counter drop comment "landfall 0123456789abcdef"\n';

  const files = { [undo]: '#!/bin/sh\n', 'etc/landfall/firewall.nft': table };

  const fine: Answers = {
    ...sshAnswers,
    ...probeAnswers,
    'systemctl is-active': 3,
    'systemctl stop landfall-undo-firewall.timer': '',
    'nft list table': table,
    'ufw status': 'Status: active\n',
    'ip netns exec landfall-probe': (line) => (line.includes('--eval') ? '["open"]' : ''),
  };

  it('confirms the firewall when SSH answers from outside and both firewalls are active', async () => {
    const host = TemporaryHost.with(files, fine);
    expect(await isFirewallUnconfirmed(host)).toBe(true);
    await confirmFirewall(host);
    expect(existsSync(host.path(undo))).toBe(false);
    expect(await isFirewallUnconfirmed(host)).toBe(false);
  });

  const closed: Answers = {
    'ip netns exec landfall-probe': (line) => (line.includes('--eval') ? '["filtered"]' : ''),
  };
  it.each([
    ['SSH does not answer', closed, /SSH port 22 is filtered from outside over IPv4/],
    ['another table is loaded', { 'nft list table': 'table inet landfall {}' }, /does not match/],
    ['no table is loaded', { 'nft list table': 1 }, /does not match/],
    ['UFW does not run', { 'ufw status': 'Status: inactive\n' }, /UFW is not active/],
  ])('leaves the firewall unconfirmed when %s', async (_what, answers, message) => {
    const host = TemporaryHost.with(files, { ...fine, ...answers });
    const error = await confirmFirewall(host).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'FIREWALL_INVALID' });
    expect(error).toHaveProperty('problems.0.message', expect.stringMatching(message));
    expect(existsSync(host.path(undo))).toBe(true);
  });
});
