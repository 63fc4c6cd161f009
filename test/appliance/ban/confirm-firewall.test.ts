import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { confirmFirewall, isFirewallUnconfirmed } from '../../../appliance/ban/confirm-firewall.ts';
import { probeAnswers, sshAnswers } from '../answers.ts';
import { type Answers, TemporaryHost } from '../temporary-host.ts';

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

describe('an unconfirmed firewall', () => {
  it('is confirmed when SSH answers from outside and both firewalls are active', async () => {
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
  ])('is not confirmed when %s', async (_what, answers, message) => {
    const host = TemporaryHost.with(files, { ...fine, ...answers });
    const error = await confirmFirewall(host).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'FIREWALL_INVALID' });
    expect(error).toHaveProperty('problems.0.message', expect.stringMatching(message));
    expect(existsSync(host.path(undo))).toBe(true);
  });
});
