import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { firewallUnitFile } from '../../../appliance/firewall/apply.ts';
import { renderTable } from '../../../appliance/firewall/render-table.ts';
import { renderFirewallUnit } from '../../../appliance/firewall/render-unit.ts';
import { firewallStage } from '../../../appliance/firewall/stage.ts';
import { contextFor } from '../context.ts';
import { type Answers, TemporaryHost } from '../temporary-host.ts';
import { factsOf } from './facts-of.ts';

const status = `Status: active
Default: deny (incoming), allow (outgoing), deny (routed)

22/tcp (OpenSSH)           LIMIT IN    Anywhere
80/tcp                     ALLOW IN    Anywhere
443/tcp                    ALLOW IN    Anywhere
`;
const fresh: Answers = {
  'systemctl show --property=ActiveState,Listen ssh.socket': 'ActiveState=inactive\n',
  '/usr/sbin/sshd -T': 'listenaddress 0.0.0.0:22\nlistenaddress [::]:22\n',
  'cat /proc/self/stat': `1 (cat) S 0${' 0'.repeat(17)} 4711 0`,
};
const installed: Answers = {
  ...fresh,
  'dpkg-query': 'nftables installed\niproute2 installed\nufw installed\n',
  'ufw status': status,
  'nft list table': renderTable(factsOf()),
};
const outside = (own: string, closed: string): Answers => ({
  'ip netns exec landfall-probe': (line) => {
    const ports = line.split(' ').slice(-2);
    return line.includes('--eval')
      ? JSON.stringify({ [ports[0] ?? '']: own, [ports[1] ?? '']: closed })
      : '';
  },
});

describe('the stage of the firewall', () => {
  it('plans on a fresh server, where neither nft nor ufw is there', async () => {
    const host = TemporaryHost.with({}, fresh);
    expect(await firewallStage.check(contextFor(host))).toEqual([
      'install nftables, iproute2, ufw',
      'close every port from outside but SSH (22), 80/tcp, 443/tcp',
    ]);
    expect(host.ran.some((line) => /^(?:nft|ufw)/.test(line))).toBe(false);
  });

  it('has nothing to do where both firewalls are as they should be', async () => {
    const host = TemporaryHost.with({ [firewallUnitFile]: renderFirewallUnit() }, installed);
    expect(await firewallStage.check(contextFor(host))).toEqual([]);
  });

  it('names what it would mend', async () => {
    const host = TemporaryHost.with(
      { [firewallUnitFile]: renderFirewallUnit() },
      { ...installed, 'nft list table': 1 },
    );
    expect(await firewallStage.check(contextFor(host))).toContain(
      "mend this: Landfall's table is not loaded",
    );
  });

  it('follows an sshd that listens elsewhere', async () => {
    const elsewhere = { '/usr/sbin/sshd -T': 'listenaddress 0.0.0.0:2222\n' };
    const host = TemporaryHost.with({}, { ...installed, ...elsewhere });
    await firewallStage.apply(contextFor(host));
    const table = readFileSync(host.path('etc/landfall/firewall.nft'), 'utf8');
    expect(table).toContain('tcp dport 2222 accept');
    expect(table).not.toContain('tcp dport 22 accept');
    expect(host.ran).toContain('ufw limit 2222/tcp');
  });

  it('opens what the site opens', async () => {
    const host = TemporaryHost.with({}, installed);
    await firewallStage.apply(contextFor(host, { site: { firewall: { allow: ['8443/tcp'] } } }));
    expect(host.ran).toContain('ufw allow 8443/tcp');
  });

  it('arms an undo, which the next stage takes away', async () => {
    const host = TemporaryHost.with({}, installed);
    await firewallStage.apply(contextFor(host));
    expect(host.ran.some((line) => /^systemd-run .*landfall-undo-firewall/.test(line))).toBe(true);
  });

  it('keeps what ufw says for the report, once packets proved it', async () => {
    const host = TemporaryHost.with({}, { ...installed, ...outside('open', 'filtered') });
    await firewallStage.prove(contextFor(host));
    expect(readFileSync(host.path('var/lib/landfall/firewall-status.txt'), 'utf8')).toBe(
      `${status}\n`,
    );
  });

  it.each([
    ['SSH does not answer', outside('filtered', 'filtered'), /SSH at port 22 is filtered/],
    ['a closed port answers', outside('open', 'open'), /nobody opened is open/],
    ['a closed port refuses', outside('open', 'refused'), /nobody opened is refused/],
  ])('does not believe it where %s from outside', async (_what, answers, message) => {
    const host = TemporaryHost.with({}, { ...installed, ...answers });
    const error = await firewallStage.prove(contextFor(host)).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'FIREWALL_INVALID' });
    expect(error).toHaveProperty('problems.0.message', expect.stringMatching(message));
    expect(host.ran.at(-1)).toBe('ip link delete landfall-out');
  });
});
