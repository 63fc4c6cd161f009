import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import type { Waits } from '../../../appliance/server/host/outside/probe.ts';
import { renderTable } from '../../../appliance/stages/firewall/table.ts';
import { needs } from '../needs.ts';

const given = needs('trixie');
const program = fileURLToPath(new URL('probe-program.ts', import.meta.url));
const own = { v4: '203.0.113.5', v6: '2001:db8::5' };

given.describe('the outside probe, in a separate network', () => {
  /** Returns the result of the probe if sshd listens at these addresses. */
  async function seen(
    addresses: readonly string[],
    table = renderTable(facts),
    server = own,
    waits?: Waits,
  ) {
    const script = [
      'mkdir -p /run/netns && mount -t tmpfs none /run/netns && ip link set lo up',
      'ip link add eth0 type veth peer name world && ip link set eth0 up && ip link set world up',
      ...Object.values(server).map(
        (it) => `ip address add ${it}/${it.includes(':') ? '64 nodad' : '24'} dev eth0`,
      ),
      'chroot "$1" nft --file - && shift && exec "$0" "$@"',
    ].join(' && ');
    const args = [
      process.execPath,
      given.trixie,
      program,
      `${JSON.stringify(waits)}`,
      ...addresses,
    ];
    const unshare = ['--net', '--mount', 'sh', '-c', script, ...args];
    return JSON.parse((await execa('unshare', unshare, { input: table })).stdout);
  }
  const facts = { ssh: [22], web: [80, 443], openings: [], destinations: [], unlimited: [] };
  const closed = ['4 8090 filtered', '6 8090 filtered'];

  it('finds an sshd on all addresses, and no closed ports', async () => {
    expect(await seen(['0.0.0.0', '::'])).toEqual(['4 22 open', '6 22 open', ...closed]);
  });

  it('skips IPv6 when sshd listens only on IPv4', async () => {
    expect(await seen(['0.0.0.0'])).toEqual(['4 22 open', ...closed]);
  });

  // With ListenAddress, the probed port was refused, and the firewall was reported as wrong.
  it('finds an sshd that listens at one address of each version', async () => {
    expect(await seen([own.v4, own.v6])).toEqual(['4 22 open', '6 22 open', ...closed]);
  });

  it('uses a short timeout for silent ports once another port has responded', async () => {
    const waits = { unproved: 600_000, proved: 500 };
    const states = await seen(['0.0.0.0', '::'], undefined, undefined, waits);
    expect(states).toEqual(['4 22 open', '6 22 open', ...closed]);
  });

  it('uses the full timeout for silent ports when no port responds', async () => {
    const waits = { unproved: 500, proved: 600_000 };
    const shut = renderTable({ ...facts, ssh: [2222] });
    const states = await seen(['0.0.0.0', '::'], shut, undefined, waits);
    expect(states).toEqual(['4 22 filtered', '6 22 filtered', ...closed]);
  });

  it('reports a blocked port as closed', async () => {
    const shut = renderTable({ ...facts, ssh: [2222] });
    const states = ['4 22 filtered', '6 22 filtered', ...closed];
    expect(await seen([own.v4, own.v6], shut)).toEqual(states);
    expect(await seen(['0.0.0.0', '::'], shut)).toEqual(states);
  });

  it('skips IPv6 when the server has only link-local addresses', async () => {
    const server = { v4: own.v4, v6: 'fe80::5' };
    expect(await seen(['0.0.0.0', '::'], undefined, server)).toEqual([
      '4 22 open',
      '4 8090 filtered',
    ]);
  });
});
