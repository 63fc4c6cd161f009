import { expect, it } from 'vitest';
import { closed, expectedPorts, type FirewallLab } from './firewall-lab.ts';
import { publishedPort } from './published-container.ts';

/** Docker's unit allows three starts a minute; a fast machine exceeds that here. */
const restartDocker = 'systemctl reset-failed docker && systemctl restart docker';

/** Tests a power cut while nothing has confirmed the firewall. */
export function itOpensAfterAPowerCut(lab: () => FirewallLab): void {
  it('restores no firewall after a power cut before it was confirmed', async () => {
    await lab().apply('firewall');
    await lab().host.crash();
    await lab().host.waitFor('systemctl is-active docker && systemctl is-active ssh');
    expect(await lab().host.output('nft list tables')).not.toContain('landfall');
    expect(await lab().host.output('ufw status')).toContain('Status: inactive');
    await lab().listen();
    for (const family of await lab().seen()) expect(family).toMatchObject({ 22: 'open' });
  });
}

/** Tests that a confirmed firewall survives restarts. */
export function itSurvivesRestarts(lab: () => FirewallLab): void {
  it('persists over a restart of Docker', async () => {
    await lab().host.output(restartDocker);
    await lab().host.waitFor(`curl -sf -o /dev/null http://127.0.0.1:${publishedPort}/`, 60);
    for (const family of await lab().seen()) expect(family).toEqual(expectedPorts);
  });

  it('restores a confirmed firewall after nftables.service flushed every table', async () => {
    for (const action of ['start', 'reload', 'restart', 'stop']) {
      await lab().host.output(`systemctl ${action} nftables`);
      expect(await lab().host.output('nft list tables')).toContain('table inet landfall');
      for (const family of await lab().seen()) expect(family).toMatchObject(closed);
    }
    await lab().host.output('systemctl disable --now nftables; systemctl start landfall-firewall');
    await lab().host.output(`ufw --force enable; ${restartDocker}`);
  });

  it('starts before Docker after a reboot', async () => {
    await lab().host.reboot();
    await lab().host.waitFor('systemctl is-active docker && systemctl is-active ssh');
    await lab().listen();
    for (const family of await lab().seen()) expect(family).toEqual(expectedPorts);
    const order = await lab().host.output(
      'systemctl show -p ActiveEnterTimestampMonotonic --value landfall-firewall ufw docker',
    );
    const [own = 0, , docker = 0] = order.split('\n').filter(Boolean).map(Number);
    expect(own).toBeLessThan(docker);
  });
}
