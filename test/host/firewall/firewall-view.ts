import { expect, it } from 'vitest';
import { expectedPorts, type FirewallLab, hostPort, metadata } from './firewall-lab.ts';
import { containerAddress, loopbackPort, publishedPort, reaches } from './published-container.ts';

/** Tests a server before its firewall is confirmed. */
export function itActivatesTheFirewall(lab: () => FirewallLab): void {
  it('exposes ports published by Docker to the outside before the firewall exists', async () => {
    for (const family of await lab().seen())
      expect(family).toMatchObject({ [publishedPort]: 'open' });
    expect(await reaches(lab().host, metadata, 80)).toBe(true);
    expect(await reaches(lab().host, lab().host.addresses.v4, 22)).toBe(true);
  });

  it('plans the firewall without any change', async () => {
    const { lines } = await lab().stages.run('check', 'firewall');
    expect(lines).toEqual([
      expect.stringMatching(/^install .*ufw/),
      'close all ports except SSH (22), 80/tcp, 443/tcp, 8443/tcp',
    ]);
    expect(await lab().host.output('nft list tables')).not.toContain('landfall');
  });

  it('activates the firewall for the host and for containers', async () => {
    await lab().apply('firewall');
    for (const family of await lab().seen()) expect(family).toEqual(expectedPorts);
  });
}

/** Tests what a confirmed firewall lets through. */
export function itFilters(lab: () => FirewallLab): void {
  it('allows SSH, 80, 443 and the ports of the site, and nothing else', async () => {
    for (const family of await lab().seen()) expect(family).toEqual(expectedPorts);
    expect(await lab().host.output('ufw status verbose')).toMatch(/22\/tcp.*ALLOW IN/);
  });

  it('plans no further change after the firewall is confirmed', async () => {
    expect(await lab().stages.run('check', 'firewall')).toMatchObject({ lines: [] });
    expect(await lab().stages.run('check', 'ban')).toMatchObject({ lines: [] });
  });

  it('rejects the firewall when SSH is unreachable from outside', async () => {
    await lab().host.output('nft insert rule inet landfall from-outside tcp dport 22 drop');
    const { error } = await lab().stages.run('prove', 'firewall');
    await lab().host.output('systemctl reload landfall-firewall');
    expect(error?.problems.map(({ message }) => message)).toEqual([
      'SSH port 22 is filtered from outside over IPv4',
      'SSH port 22 is filtered from outside over IPv6',
    ]);
    expect(await lab().stages.run('prove', 'firewall')).not.toHaveProperty('error');
    expect(await lab().host.output('ip netns; ip -o link')).not.toContain('landfall');
  });

  it('blocks direct routes to a container and to loopback', async () => {
    const address = await containerAddress(lab().host);
    await lab().outsider.routeThrough(`${address}/32`, lab().host.addresses.v4);
    expect(await lab().outsider.ports(address, [80])).toEqual({ 80: 'filtered' });
    await lab().outsider.run('sysctl -w net.ipv4.conf.all.route_localnet=1');
    await lab().outsider.run(
      `ip route replace 127.0.0.77/32 via ${lab().host.addresses.v4} table local`,
    );
    expect(await lab().outsider.ports('127.0.0.77', [loopbackPort])).not.toMatchObject({
      [loopbackPort]: 'open',
    });
  });

  it('keeps loopback ports for tunnels, and containers reachable from the server', async () => {
    await lab().host.output(`curl -sf -o /dev/null http://127.0.0.1:${loopbackPort}/`);
    await lab().host.output(`curl -sf -o /dev/null http://${await containerAddress(lab().host)}/`);
  });

  it('blocks metadata, SSH and ports of the host for containers', async () => {
    expect(await lab().host.run(`curl -sf -m 3 http://${metadata}/`)).toMatchObject({
      exitCode: 0,
    });
    expect(await reaches(lab().host, metadata, 80)).toBe(false);
    expect(await reaches(lab().host, lab().host.addresses.v4, 22)).toBe(false);
    expect(await reaches(lab().host, '172.29.0.1', hostPort)).toBe(false);
  });
}
