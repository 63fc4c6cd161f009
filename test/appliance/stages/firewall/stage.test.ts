import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { firewallService } from '../../../../appliance/stages/firewall/apply.ts';
import { firewallStage } from '../../../../appliance/stages/firewall/stage.ts';
import { renderTable } from '../../../../appliance/stages/firewall/table.ts';
import { firewallAnswers, probeAnswers, sshAnswers, undoAnswers } from '../../answers.ts';
import { contextFor } from '../../context.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';
import { factsOf } from './facts-of.ts';

/** A server with IPv4 and IPv6, regardless of this machine. */
vi.mock('node:os', async (original) => ({
  ...(await original<typeof import('node:os')>()),
  networkInterfaces: () => ({
    eth0: [
      { family: 'IPv4', address: '203.0.113.5', internal: false },
      { family: 'IPv6', address: '2001:db8::5', internal: false },
    ],
  }),
}));

const status = `Status: active
Default: deny (incoming), allow (outgoing), deny (routed)

22/tcp (OpenSSH)           ALLOW IN    Anywhere
80/tcp                     ALLOW IN    Anywhere
443/tcp                    ALLOW IN    Anywhere
`;
const fresh: Answers = {
  ...sshAnswers,
  '/usr/sbin/sshd -T': 'listenaddress 0.0.0.0:22\nlistenaddress [::]:22\n',
  'dpkg-query': 1,
};
const installed: Answers = {
  ...fresh,
  ...undoAnswers,
  ...firewallAnswers,
  'dpkg-query': 'nftables installed\niproute2 installed\nufw installed\n',
  'ufw status': status,
  'nft list table': renderTable(factsOf()),
};
const files = firewallService.files.map(({ path, text }) => [path, `${text}`] as const);
const units = Object.fromEntries(files);
const outside = (own: string, closed: string, others = 'open'): Answers => ({
  ...probeAnswers,
  'ip netns exec landfall-probe': (line) => {
    const targets = line.includes('--eval') ? line.match(/\S+,[0-9]+(?= |$)/g) : [];
    const stateOf = (target: string) =>
      target.endsWith(',22') ? own : /,(?:80|443)$/.test(target) ? others : closed;
    return JSON.stringify(targets?.map(stateOf));
  },
});

describe('the firewall stage', () => {
  it('plans its changes on a fresh server without nft and ufw', async () => {
    const host = TemporaryHost.with({}, fresh);
    expect(await firewallStage.check(contextFor(host))).toEqual([
      'install nftables, iproute2, ufw',
      'close all ports except SSH (22), 80/tcp, 443/tcp',
    ]);
    expect(host.ran.some((line) => /^(?:nft|ufw)/.test(line))).toBe(false);
  });

  it('finds nothing to do if both firewalls are correct', async () => {
    const host = TemporaryHost.with(units, installed);
    expect(await firewallStage.check(contextFor(host))).toEqual([]);
  });

  it.each([
    ['enabled', units, { 'systemctl is-enabled --quiet landfall-firewall.service': 1 }],
    ['complete', Object.fromEntries(files.slice(1)), {}],
  ])(
    'reports the firewall stage as incomplete until its unit is %s',
    async (_what, files, answers) => {
      const host = TemporaryHost.with(files, {
        ...installed,
        ...answers,
        ...outside('open', 'filtered'),
      });
      expect(await firewallStage.check(contextFor(host))).toHaveLength(1);
      await expect(firewallStage.prove(contextFor(host))).rejects.toMatchObject({
        code: 'FIREWALL_INVALID',
        problems: [expect.objectContaining({ message: expect.stringContaining('at boot') })],
      });
    },
  );

  it('keeps ports that were opened in UFW only, and warns about them', async () => {
    const more = { 'ufw status': `${status}9000/tcp                   ALLOW IN    Anywhere\n` };
    const host = TemporaryHost.with(units, {
      ...installed,
      ...more,
      ...outside('open', 'filtered'),
    });
    const context = contextFor(host);
    expect(await firewallStage.check(context)).toEqual([]);
    await firewallStage.prove(context);
    expect(context.warned).toEqual([
      expect.stringMatching(/^9000\/tcp is open in UFW, .*sudo ufw delete allow 9000\/tcp\)$/),
    ]);
  });

  it('probes SSH only over the IP versions that sshd listens on', async () => {
    const inet = { '/usr/sbin/sshd -T': 'addressfamily inet\nlistenaddress 0.0.0.0:22\n' };
    const host = TemporaryHost.with(units, {
      ...installed,
      ...inet,
      ...outside('open', 'filtered'),
    });
    await firewallStage.prove(contextFor(host));
    const asked = host.ran.find((line) => line.includes('--eval'))?.match(/\S+,22(?= |$)/g);
    expect(asked).toEqual([expect.stringMatching(/^[0-9.]+,22$/)]);
  });

  it('warns that nothing was tested if sshd listens on loopback only', async () => {
    const local = { '/usr/sbin/sshd -T': 'listenaddress 127.0.0.1:22\n' };
    const host = TemporaryHost.with(units, {
      ...installed,
      ...local,
      ...outside('open', 'filtered'),
    });
    const context = contextFor(host);
    await firewallStage.prove(context);
    expect(context.warned).toEqual([expect.stringContaining('was not tested')]);
  });

  it('rejects an outgoing interface that is named like a container network', async () => {
    const route = `${'0'.repeat(32)} 00 ${'0'.repeat(32)} 00 fe80 00000400 1 0 450003 veth0\n`;
    const host = TemporaryHost.with({ 'proc/net/ipv6_route': route }, installed);
    await expect(firewallStage.check(contextFor(host))).rejects.toMatchObject({
      code: 'FIREWALL_INVALID',
      message: expect.stringContaining('veth0'),
    });
  });

  it('plans the repair of a table that is not loaded', async () => {
    const host = TemporaryHost.with(units, { ...installed, 'nft list table': 1 });
    expect(await firewallStage.check(contextFor(host))).toContain(
      "fix: Landfall's table is not loaded",
    );
  });

  // Oracle's images for Ubuntu.
  it('removes rules of an image that close every port but SSH, and says so before', async () => {
    const accepted = '-A INPUT -p tcp -m state --state NEW -m tcp --dport 22 -j ACCEPT';
    const rule = 'INPUT -j REJECT --reject-with icmp-host-prohibited';
    const rules = `-P INPUT ACCEPT\n${accepted}\n-A ${rule}\n-A INPUT -j ufw-before-input\n`;
    const image = { 'usr/sbin/iptables': '', ...units };
    const answers = { 'iptables -S': rules, 'iptables -D': '' };
    const said = `fix: a rule of iptables closes every port but SSH: ${rule}`;
    const host = TemporaryHost.with(image, { ...installed, ...answers });
    expect((await firewallStage.check(contextFor(host))).at(-1)).toBe(said);
    await firewallStage.apply(contextFor(host));
    expect(host.ran.filter((line) => line.startsWith('iptables -D'))).toEqual([
      `iptables -D ${rule}`,
    ]);
    const before = TemporaryHost.with(image, { ...fresh, ...answers });
    expect((await firewallStage.check(contextFor(before))).at(-1)).toBe(said);
  });

  it('allows the port of sshd instead of 22', async () => {
    const elsewhere = { '/usr/sbin/sshd -T': 'listenaddress 0.0.0.0:2222\n' };
    const host = TemporaryHost.with({}, { ...installed, ...elsewhere });
    await firewallStage.apply(contextFor(host));
    const table = readFileSync(host.path('etc/landfall/firewall.nft'), 'utf8');
    expect(table).toContain('tcp dport 2222 accept');
    expect(table).not.toContain('tcp dport 22 accept');
    expect(host.ran).toContain('ufw allow 2222/tcp');
  });

  it('keeps the old port open until sshd is restarted', async () => {
    const moved = {
      '/usr/sbin/sshd -T': 'listenaddress 0.0.0.0:2222\n',
      'systemctl show --property=MainPID': '501\n',
      ss: 'LISTEN 0 128 0.0.0.0:22 0.0.0.0:* users:(("sshd",pid=501,fd=3))\n',
    };
    const host = TemporaryHost.with({}, { ...installed, ...moved });
    await firewallStage.apply(contextFor(host));
    const table = readFileSync(host.path('etc/landfall/firewall.nft'), 'utf8');
    expect(table).toContain('tcp dport 22 accept');
    expect(table).toContain('tcp dport 2222 accept');
  });

  it('opens the ports of the site', async () => {
    const host = TemporaryHost.with({}, installed);
    await firewallStage.apply(contextFor(host, { site: { firewall: { allow: ['8443/tcp'] } } }));
    expect(host.ran).toContain('ufw allow 8443/tcp');
  });

  it('accepts an open port whose container has not started', async () => {
    const answers = { ...installed, ...outside('open', 'filtered', 'refused') };
    const proof = firewallStage.prove(contextFor(TemporaryHost.with(units, answers)));
    await expect(proof).resolves.toBeUndefined();
  });

  it('arms an undo', async () => {
    const host = TemporaryHost.with({}, installed);
    await firewallStage.apply(contextFor(host));
    expect(host.ran.some((line) => /^systemd-run .*landfall-undo-firewall/.test(line))).toBe(true);
  });

  it('stores the status of ufw for the report after the verification', async () => {
    const host = TemporaryHost.with(units, { ...installed, ...outside('open', 'filtered') });
    await firewallStage.prove(contextFor(host));
    expect(readFileSync(host.path('var/lib/landfall/firewall-status.txt'), 'utf8')).toBe(
      `${status}\n`,
    );
  });

  it.each([
    ['SSH is unreachable', outside('filtered', 'filtered'), /SSH port 22 is filtered/],
    ['a closed port is reachable', outside('open', 'open'), /a closed port is open/],
    ['a closed port refuses connections', outside('open', 'refused'), /a closed port is refused/],
    [
      'an open port is closed by other rules',
      outside('open', 'filtered', 'rejected'),
      /port 80 is open in both firewalls, but rejected over IPv4/,
    ],
  ])('fails its verification if %s', async (_what, answers, message) => {
    const host = TemporaryHost.with(units, { ...installed, ...answers });
    const error = await firewallStage.prove(contextFor(host)).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'FIREWALL_INVALID' });
    expect(error).toHaveProperty('problems.0.message', expect.stringMatching(message));
    expect(host.ran.at(-1)).toBe('ip link delete landfall-out');
  });
});
