import { beforeAll, describe, expect, it } from 'vitest';
import { enginePort } from '#contract/site/engines/engine-node.ts';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';
import type { Outsider, PortState } from '../network/outsider.ts';
import { StageRunner } from '../stage-runner/stage-runner.ts';
import { type FirewallLab, hostPort } from './firewall-lab.ts';
import { publishedPort, startPublishedGateway } from './published-container.ts';

const nodePorts = [22, 80, 443, enginePort];
const closed = { 22: 'open', 80: 'filtered', 443: 'filtered', [enginePort]: 'filtered' };
const open = { ...closed, [enginePort]: 'open' };

/** Tests changes of a confirmed firewall by its administrator, whose site opens 8443/tcp at first. */
export function itFollowsChanges(lab: () => FirewallLab): void {
  it('opens a port for the host and for containers immediately', async () => {
    await lab().stages.run('allow', `${publishedPort}/tcp`);
    await lab().stages.run('allow', `${hostPort}/tcp`);
    const wanted = { [publishedPort]: 'open', [hostPort]: 'open' };
    for (const family of await lab().seen()) expect(family).toMatchObject(wanted);
    expect(await lab().host.output('ufw status')).toMatch(/8080\/tcp +ALLOW/);
  });

  it('closes a port, and reopens it when no new login confirms the change', async () => {
    await lab().stages.run('deny', `${publishedPort}/tcp`);
    for (const family of await lab().seen()) {
      expect(family).toMatchObject({ [publishedPort]: 'filtered' });
    }
    await lab().host.output('sh /var/lib/landfall/undo/firewall.sh');
    for (const family of await lab().seen())
      expect(family).toMatchObject({ [publishedPort]: 'open' });
    expect(await lab().host.output('ufw status')).toMatch(/8080\/tcp +ALLOW/);
  });

  it('closes a port permanently once a new login confirms', async () => {
    await lab().stages.run('deny', `${publishedPort}/tcp`);
    for (const action of ['deny', 'allow']) {
      expect(await lab().stages.run(action, '9999/tcp')).toMatchObject({
        error: { code: 'UNCONFIRMED' },
      });
    }
    const command = `${StageRunner.command} confirm`;
    const login = { user: 'root', host: lab().host.addresses.v4, command };
    expect(await lab().outsider.ssh(login)).toMatchObject({ exitCode: 0 });
    for (const family of await lab().seen()) {
      expect(family).toMatchObject({ [publishedPort]: 'filtered' });
    }
    expect(await lab().stages.run('check', 'firewall')).toMatchObject({ lines: [] });
  });

  it('never closes SSH', async () => {
    expect(await lab().stages.run('deny', '22/tcp')).toMatchObject({ error: { code: 'USAGE' } });
    expect(await lab().stages.run('deny', '20-30/tcp')).toMatchObject({ error: { code: 'USAGE' } });
  });

  it('reports ports that were opened with ufw directly', async () => {
    await lab().host.output('ufw allow 9000/tcp; ufw allow 22');
    expect(await lab().stages.run('check', 'firewall')).toMatchObject({ lines: [] });
    const { error, warned } = await lab().stages.run('prove', 'firewall');
    expect(error).toBeUndefined();
    expect(warned).toEqual([
      expect.stringMatching(/^9000\/tcp is open in UFW, .*sudo ufw delete allow 9000\/tcp\)$/),
      expect.stringMatching(/^22\/udp is open in UFW, .*sudo ufw delete allow 22\)$/),
    ]);
    await lab().host.output('ufw delete allow 9000/tcp; ufw delete allow 22');
  });

  it('closes ports in UFW that were removed from the site', async () => {
    await lab().stages.give({ site: {} });
    expect((await lab().stages.run('check', 'firewall')).lines).not.toEqual([]);
    await lab().apply('firewall,ban');
    expect(await lab().host.output('ufw status')).not.toContain('8443');
    for (const family of await lab().seen()) expect(family).toMatchObject({ 8443: 'filtered' });
    expect(await lab().stages.run('check', 'firewall')).toMatchObject({ lines: [] });
  });

  describe('with role engine-node', () => {
    let stranger: Outsider;

    const giveClients = async (...clients: string[]) => {
      const client_ca = new CertificateAuthority('first').cert;
      const site = { role: 'engine-node', engine_node: { client_ca, clients } };
      await lab().stages.give({ site });
    };
    /** Returns the state of the ports, over IPv4 and over IPv6. */
    const seenFrom = async (client: Outsider): Promise<Array<Record<number, PortState>>> => {
      const { v4, v6 } = lab().host.addresses;
      return await Promise.all([client.ports(v4, nodePorts), client.ports(v6, nodePorts)]);
    };
    const ufw = () => lab().host.output('ufw status verbose');

    beforeAll(async () => {
      stranger = await lab().cloud.outsider();
      await startPublishedGateway(lab().host);
      const { v4, v6 } = lab().outsider.addresses;
      // UFW shortens the other forms.
      await giveClients(v4, `${v6.toUpperCase()}/128`, '192.0.2.9/25');
    });

    it('opens the port for the listed clients only, and neither 80 nor 443', async () => {
      const both = { 80: 'open', 443: 'open' };
      for (const family of await seenFrom(stranger)) expect(family).toMatchObject(both);
      await lab().apply('firewall,ban');
      expect(await seenFrom(lab().outsider)).toEqual([open, open]);
      expect(await seenFrom(stranger)).toEqual([closed, closed]);
      expect(await ufw()).toMatch(/^11443\/tcp +ALLOW IN +192\.0\.2\.0\/25 *$/m);
      expect(await lab().stages.run('check', 'firewall')).toMatchObject({ lines: [] });
    });

    it('closes the port manually for everyone, and reopens it for the clients only', async () => {
      await lab().stages.run('deny', `${enginePort}/tcp`);
      expect(await seenFrom(lab().outsider)).toEqual([closed, closed]);
      expect(await ufw()).not.toContain(`${enginePort}`);
      await lab().host.output('sh /var/lib/landfall/undo/firewall.sh');
      expect(await seenFrom(lab().outsider)).toEqual([open, open]);
      expect(await lab().stages.run('allow', `${enginePort}/tcp`)).not.toHaveProperty('error');
      expect(await lab().stages.run('allow', '11000-12000/tcp')).toMatchObject({
        error: { code: 'USAGE' },
      });
      expect(await seenFrom(stranger)).toEqual([closed, closed]);
    });

    it('removes the rule of a client that leaves, and keeps those of the administrator', async () => {
      const own = `ufw allow proto tcp from ${stranger.addresses.v4} to any port`;
      await lab().host.output(`${own} 9000; ${own} ${enginePort}; ufw allow ${enginePort}/tcp`);
      await giveClients(lab().outsider.addresses.v6);
      const { error, warned } = await lab().stages.run('apply', 'firewall,ban');
      expect(error).toBeUndefined();
      expect(warned).toEqual([
        expect.stringMatching(
          /^11443\/tcp is open for everyone in UFW, .*ufw delete allow 11443\/tcp\)$/,
        ),
      ]);
      expect(await seenFrom(lab().outsider)).toEqual([closed, open]);
      expect(await seenFrom(stranger)).toEqual([closed, closed]);
      const rows = (await ufw()).split('\n').filter((row) => /^(?:9000|11443)\//.test(row));
      expect(rows.map((row) => row.split(/ {2,}/).slice(0, 3).join(' '))).toEqual([
        `9000/tcp ALLOW IN ${stranger.addresses.v4}`,
        `${enginePort}/tcp ALLOW IN ${stranger.addresses.v4}`,
        `${enginePort}/tcp ALLOW IN Anywhere`,
        `${enginePort}/tcp ALLOW IN ${lab().outsider.addresses.v6}`,
        `${enginePort}/tcp (v6) ALLOW IN Anywhere (v6)`,
      ]);
    });
  });
}
