import { readFileSync, statSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatOpening } from '#contract/site/opening.ts';
import {
  changeFirewall,
  closedBy,
  firewallService,
  openedByTable,
  renderUndo,
} from '../../../../appliance/stages/firewall/apply.ts';
import { renderTable } from '../../../../appliance/stages/firewall/table.ts';
import { firewallAnswers, undoAnswers } from '../../answers.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';
import { factsOf } from './facts-of.ts';

const table = 'etc/landfall/firewall.nft';
const settings = 'etc/landfall/firewall.json';
const undo = 'var/lib/landfall/undo/firewall.sh';
const answers: Answers = { ...undoAnswers, ...firewallAnswers };
const status = (...rules: string[]) => `Status: active
Default: deny (incoming), allow (outgoing), deny (routed)

${rules.map((rule) => `${rule.padEnd(27)}ALLOW IN    Anywhere\n`).join('')}`;
const read = (host: TemporaryHost, path: string) => readFileSync(host.path(path), 'utf8');
const exists = (host: TemporaryHost, path: string) =>
  statSync(host.path(path), { throwIfNoEntry: false }) !== undefined;

describe('a firewall change', () => {
  it('checks, writes and loads the table, then changes UFW', async () => {
    const host = TemporaryHost.with({}, answers);
    await changeFirewall(host, { facts: factsOf() });
    expect(read(host, table)).toBe(renderTable(factsOf()));
    const [check, load, ...rest] = host.ran;
    expect(check).toMatch(/^nft --check --file .*run\/landfall\/firewall\.nft$/);
    expect(load).toBe(`nft --file ${host.path(table)}`);
    expect(rest.at(-1)).toBe('ufw --force enable');
    expect(rest).toContain('systemctl enable --quiet landfall-firewall.service');
  });

  it('changes nothing if nft rejects the table', async () => {
    const host = TemporaryHost.with({ [table]: 'old\n' }, { 'nft --check': 1 });
    await expect(changeFirewall(host, { facts: factsOf() })).rejects.toMatchObject({
      code: 'FIREWALL_INVALID',
    });
    expect(read(host, table)).toBe('old\n');
    expect(host.ran).toHaveLength(1);
    expect(exists(host, 'run/landfall/firewall.nft')).toBe(false);
  });

  it('installs the unit once', async () => {
    const host = TemporaryHost.with({}, answers);
    await changeFirewall(host, { facts: factsOf() });
    host.ran.length = 0;
    await changeFirewall(host, { facts: factsOf() });
    expect(host.ran.filter((line) => /^systemctl (?!is-enabled)/.test(line))).toEqual([]);
  });

  // Regression: after a kill, the firewall was active until the next reboot only.
  it('enables an existing unit that was never enabled', async () => {
    const files = firewallService.files.map(({ path, text }) => [path, `${text}`]);
    const host = TemporaryHost.with(Object.fromEntries(files), {
      ...answers,
      'systemctl is-enabled --quiet landfall-firewall.service': 1,
    });
    await changeFirewall(host, { facts: factsOf() });
    expect(host.ran).toContain('systemctl enable --quiet landfall-firewall.service');
  });

  it('stores the settings, and deletes the UFW rules of closed ports', async () => {
    const host = TemporaryHost.with({}, { ...answers, 'ufw status': status('8443/tcp') });
    const wanted = { allow: ['9000/tcp'], deny: [] };
    const closes = { first: 8443, last: 8443, protocol: 'tcp' } as const;
    await changeFirewall(host, { facts: factsOf(), settings: wanted, closes });
    expect(JSON.parse(read(host, settings))).toEqual(wanted);
    expect(host.ran).toContain('ufw delete allow 8443/tcp');
  });

  // Regression: UFW kept a port that was removed from site.json, and the proof always failed.
  it('deletes the UFW rules of ports that the previous table opened', async () => {
    const before = renderTable(factsOf(['80/tcp', '443/tcp', '8443/tcp'], { ssh: [22] }));
    const rules = status('22/tcp (OpenSSH)', '80/tcp', '443/tcp', '8443/tcp', '9000/tcp');
    const host = TemporaryHost.with({ [table]: before }, { ...answers, 'ufw status': rules });
    await changeFirewall(host, { facts: factsOf(undefined, { ssh: [2222] }) });
    expect(host.ran.filter((line) => line.startsWith('ufw delete'))).toEqual([
      'ufw delete allow OpenSSH',
      'ufw delete allow 8443/tcp',
    ]);
    expect(host.ran.indexOf('ufw limit 2222/tcp')).toBeLessThan(
      host.ran.indexOf('ufw delete allow OpenSSH'),
    );
  });

  it('keeps the UFW rule for SSH when an opening for the same port is closed', async () => {
    const host = TemporaryHost.with({}, { ...answers, 'ufw status': status('22/tcp (OpenSSH)') });
    const closes = { first: 22, last: 22, protocol: 'tcp' } as const;
    await changeFirewall(host, { facts: factsOf(), closes });
    expect(host.ran.filter((line) => line.startsWith('ufw delete'))).toEqual([]);
  });

  it('rejects a firewall change if the outgoing interface is named like a container network', async () => {
    const route = (name: string) =>
      `Iface\tDestination\n${name}\t00000000\t0102000A\t0003\t0\t0\t0\t00000000\t0\t0\t0\n`;
    const host = TemporaryHost.with({ 'proc/net/route': route('br-lan') });
    await expect(changeFirewall(host, { facts: factsOf() })).rejects.toMatchObject({
      code: 'FIREWALL_INVALID',
      message: expect.stringContaining('br-lan'),
    });
    expect(host.ran).toEqual([]);
    const other = TemporaryHost.with({ 'proc/net/route': route('br0') }, answers);
    await changeFirewall(other, { facts: factsOf() });
    expect(exists(other, table)).toBe(true);
  });

  it('rejects a firewall change while another is unconfirmed, because the undo would revert both', async () => {
    const host = TemporaryHost.with({ [undo]: '#!/bin/sh\n' }, answers);
    for (const change of [
      () => changeFirewall(host, { facts: factsOf() }),
      () => changeFirewall(host, { facts: factsOf() }, 300),
    ]) {
      await expect(change()).rejects.toMatchObject({ code: 'UNCONFIRMED' });
    }
    expect(host.ran).toEqual([]);
  });
});

describe('a firewall change that could lock the administrator out', () => {
  it('arms its undo before it changes anything', async () => {
    const host = TemporaryHost.with({ [table]: 'old\n' }, answers);
    await changeFirewall(host, { facts: factsOf() }, 300);
    const armed = host.ran.findIndex((line) => line.startsWith('systemd-run'));
    const loaded = host.ran.findIndex((line) => line.startsWith('nft --file'));
    expect(armed).toBeGreaterThan(-1);
    expect(armed).toBeLessThan(loaded);
    expect(host.ran[armed]).toContain('--on-active=300');
    expect(read(host, undo)).toContain(Buffer.from('old\n').toString('base64'));
  });

  it('undoes a firewall change that could lock the administrator out immediately if it fails', async () => {
    const host = TemporaryHost.with(
      { [table]: 'old\n' },
      {
        ...answers,
        'ufw --force enable': 1,
        '/bin/sh': '',
      },
    );
    await expect(changeFirewall(host, { facts: factsOf() }, 300)).rejects.toMatchObject({
      code: 'COMMAND_FAILED',
    });
    expect(host.ran.at(-1)).toBe(`/bin/sh ${host.path(undo)}`);
  });
});

describe('the undo of a firewall change', () => {
  it('deletes the table and disables UFW if there were none before', async () => {
    const script = await renderUndo(TemporaryHost.with({}));
    expect(script).toMatch(/^rm -f .*etc\/landfall\/firewall\.nft$/m);
    expect(script).toContain('nft delete table inet landfall');
    expect(script).toContain('ufw --force disable');
  });

  it('restores the rules of UFW with their permissions', async () => {
    const script = await renderUndo(TemporaryHost.with({ 'etc/ufw/user.rules': '*filter\n' }));
    expect(script).toContain(Buffer.from('*filter\n').toString('base64'));
    expect(script).toMatch(/chmod 640 .*user\.rules/);
  });
});

describe('the firewall unit', () => {
  const [dropIn, unit] = firewallService.files.map(({ text }) => `${text}`);

  it('loads the table before the network, UFW and Docker start', () => {
    expect(unit).toMatch(/^Before=.*network-pre\.target.*ufw\.service.*docker\.service/m);
    expect(unit).toContain('WantedBy=sysinit.target');
  });

  it('loads it after unconfirmed changes are reverted', () => {
    expect(unit).toMatch(/^After=.*landfall-undo\.service/m);
  });

  it('prevents Docker from starting without the table', () => {
    expect(unit).toContain('RequiredBy=docker.service');
  });

  it('loads the table again after nftables.service flushes it', () => {
    for (const after of ['ExecStartPost', 'ExecReload', 'ExecStopPost']) {
      expect(dropIn).toMatch(
        new RegExp(`^${after}=-/bin/sh .*nft --file /etc/landfall/firewall\\.nft`, 'm'),
      );
    }
  });
});

const port = fc.integer({ min: 1, max: 65535 });
const opening = fc
  .tuple(
    ...([port, port, fc.constantFrom('tcp' as const, 'udp' as const)] as const),
    fc.option(fc.constantFrom('203.0.113.20', '10.0.0.0/8', '2001:db8::/32')),
  )
  .map(([a, b, protocol, from]) => ({
    ...{ first: Math.min(a, b), last: Math.max(a, b), protocol },
    ...(from === null ? {} : { from }),
  }));
const destination = { address: '10.0.0.2', port: 7890 };
const client = (from: string) => ({ first: 11443, last: 11443, protocol: 'tcp' as const, from });

describe('the openings of the previous table', () => {
  it('reads the openings of the previous table from its rules, ignoring all others', () => {
    fc.assert(
      fc.property(fc.array(port, { maxLength: 3 }), fc.array(opening), (ssh, openings) => {
        const table = renderTable({
          ...{ ssh, web: [80, 443], openings, destinations: [destination], unlimited: [] },
        });
        expect(openedByTable(table).map(formatOpening)).toEqual([
          ...ssh.map((each) => `${each}/tcp`),
          ...openings.map(formatOpening),
        ]);
      }),
    );
  });

  it.each([
    ['none without a previous table', undefined, []],
    ['none if both open the same ports', renderTable(factsOf()), []],
    [
      'an opening that was removed',
      renderTable(factsOf(['80/tcp', '443/tcp', '5-7/udp'])),
      ['5-7/udp'],
    ],
    [
      'a port that sshd no longer uses',
      renderTable(factsOf(undefined, { ssh: [22, 2222] })),
      ['2222/tcp'],
    ],
    [
      'a client that left',
      renderTable(
        factsOf(undefined, { openings: [client('203.0.113.20'), ...factsOf().openings] }),
      ),
      ['11443/tcp from 203.0.113.20'],
    ],
    [
      'a range that became one port',
      renderTable(factsOf(['80/tcp', '443-444/tcp'])),
      ['443-444/tcp'],
    ],
  ])('lists the openings that the next table closes: %s', async (_what, table, closed) => {
    const host = TemporaryHost.with(table ? { 'etc/landfall/firewall.nft': table } : {});
    expect((await closedBy(host, factsOf())).map(formatOpening)).toEqual(closed);
  });
});
