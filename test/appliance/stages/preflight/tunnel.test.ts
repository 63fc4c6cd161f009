import { describe, expect, it } from 'vitest';
import { checkTunnel } from '../../../../appliance/stages/preflight/tunnel.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

interface Facts {
  readonly routes?: ReadonlyArray<{ readonly dst: string; readonly dev?: string }>;
  readonly sockets?: string;
  /** Whether WireGuard of the tunnel runs. */
  readonly isUp?: boolean;
  readonly files?: Readonly<Record<string, string>>;
  /** Whether the kernel has WireGuard. */
  readonly hasModule?: boolean;
}

async function problemsWith({
  routes = [],
  sockets = '',
  isUp = false,
  files = {},
  hasModule = true,
}: Facts) {
  const host = TemporaryHost.with(files, {
    'ip -json -4 route': JSON.stringify(routes),
    'ss -H -uln sport = :51820': sockets,
    'systemctl is-active --quiet wg-quick@wg-access.service': isUp ? 0 : 3,
    'unshare --net ip link add landfall0 type wireguard': hasModule ? '' : 2,
  });
  const context = contextFor(host, { site: { access: { mode: 'wireguard' } } });
  return await checkTunnel(context);
}

describe('the tunnel of a server', () => {
  it.each(['10.86.0.0/24', '10.0.0.0/8', '10.86.0.7', '10.86.0.128/25'])(
    'rejects a network of the tunnel that overlaps the network %s of the server',
    async (dst) => {
      const [problem] = await problemsWith({ routes: [{ dst, dev: 'eth0' }] });
      expect(problem).toEqual({
        message: `access.network 10.86.0.0/24 overlaps ${dst} of eth0, a network of this server`,
        hint: expect.stringMatching(
          /^Set access\.network to another private network, such as \S+\/24\.$/,
        ),
      });
    },
  );

  it('proposes a network that is free', async () => {
    const routes = [{ dst: '10.0.0.0/8', dev: 'eth0' }];
    const [problem] = await problemsWith({ routes });
    expect(problem?.hint).toContain('172.29.86.0/24');
  });

  it('accepts other networks, default routes, and the network of the tunnel itself', async () => {
    const routes = [
      { dst: 'default', dev: 'eth0' },
      { dst: '0.0.0.0/1', dev: 'tun0' },
      { dst: '10.87.0.0/24', dev: 'eth0' },
      { dst: '10.86.0.0/24', dev: 'wg-access' },
    ];
    expect(await problemsWith({ routes })).toEqual([]);
  });

  it('rejects a UDP port that another program uses', async () => {
    const sockets = 'UNCONN 0 0 0.0.0.0:51820 0.0.0.0:*\n';
    const [problem] = await problemsWith({ sockets });
    expect(problem?.message).toBe('the UDP port 51820 (access.port) is already used');
    expect(await problemsWith({ sockets, isUp: true })).toEqual([]);
  });

  it('rejects a kernel without WireGuard, unless its program is installed', async () => {
    const [problem] = await problemsWith({ hasModule: false });
    expect(problem?.message).toBe('the kernel has no WireGuard, which access needs');
    const files = { 'usr/bin/wireguard-go': '' };
    expect(await problemsWith({ hasModule: false, files })).toEqual([]);
    expect(await problemsWith({ hasModule: false, isUp: true })).toEqual([]);
  });

  it('runs nothing on a server without a tunnel', async () => {
    const host = TemporaryHost.with({});
    expect(await checkTunnel(contextFor(host))).toEqual([]);
    expect(host.ran).toEqual([]);
  });
});
