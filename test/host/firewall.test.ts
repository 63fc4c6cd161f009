import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cloud } from './cloud.ts';
import { distributions } from './distributions.ts';
import type { FastHost } from './fast-host.ts';
import { hostNeeds } from './host-needs.ts';
import type { Outsider } from './outsider.ts';
import {
  containerAddress,
  loopbackPort,
  publishedPort,
  reaches,
  startPublishedContainer,
} from './published-container.ts';
import { StageRunner } from './stage-runner/stage-runner.ts';

/** Somebody listens there on the server itself. */
const hostPort = 8090;
const metadata = '169.254.169.254';

for (const distribution of distributions()) {
  const given = hostNeeds(distribution);

  given.describe(`the firewall of ${distribution}, with its own Docker`, () => {
    let cloud: Cloud;
    let outsider: Outsider;
    let host: FastHost;
    let stages: StageRunner;

    beforeAll(async () => {
      cloud = await Cloud.open(given.parts);
      outsider = await cloud.outsider();
      host = await cloud.boot({ distribution, userData: '#cloud-config\n{}\n' });
      await host.cloudInit();
      await host.output('mkdir -p -m 700 /root/.ssh');
      await host.put('/root/.ssh/authorized_keys', `${outsider.publicKey}\n`, '0600');
      await startPublishedContainer(host);
      await listen();
      await outsider.run(`ip address add ${metadata}/32 dev eth0`);
      await outsider.run('setsid python3 -m http.server 80 >/dev/null 2>&1 &');
      stages = await StageRunner.install(host, { firewall: { allow: ['8443/tcp'] } });
    });
    afterAll(() => cloud.close());

    const ports = [22, 443, hostPort, publishedPort, loopbackPort, 8443];
    const closed = {
      [hostPort]: 'filtered',
      [publishedPort]: 'filtered',
      [loopbackPort]: 'filtered',
    };
    const open = { 22: 'open', 443: 'refused', 8443: 'refused' };
    const seen = async () => [
      await outsider.ports(host.addresses.v4, ports),
      await outsider.ports(host.addresses.v6, ports),
    ];
    const listen = async () => {
      await host.output(`systemd-run --quiet python3 -m http.server --bind :: ${hostPort}`);
      await host.output(`ip route replace ${metadata}/32 via ${outsider.addresses.v4}`);
    };
    const apply = async (names: string) => {
      expect(await stages.run('apply', names)).not.toHaveProperty('error');
    };

    it('is missing at first: what Docker publishes is open to everybody', async () => {
      for (const family of await seen()) expect(family).toMatchObject({ [publishedPort]: 'open' });
      expect(await reaches(host, metadata, 80)).toBe(true);
      expect(await reaches(host, host.addresses.v4, 22)).toBe(true);
    });

    it('is planned without a change to anything', async () => {
      const { lines } = await stages.run('check', 'firewall');
      expect(lines).toEqual([
        expect.stringMatching(/^install .*ufw/),
        'close every port from outside but SSH (22), 80/tcp, 443/tcp, 8443/tcp',
      ]);
      expect(await host.output('nft list tables')).not.toContain('landfall');
    });

    describe('that nobody has confirmed yet', () => {
      it('is in force, for the host and for containers', async () => {
        await apply('firewall');
        for (const family of await seen()) expect(family).toEqual({ ...open, ...closed });
      });

      it('does not come back after a power cut', async () => {
        await host.crash();
        await host.waitFor('systemctl is-active docker && systemctl is-active ssh');
        expect(await host.output('nft list tables')).not.toContain('landfall');
        expect(await host.output('ufw status')).toContain('Status: inactive');
        await listen();
        for (const family of await seen()) expect(family).toMatchObject({ 22: 'open' });
      });
    });

    describe('that the next stage confirmed', () => {
      beforeAll(async () => {
        await apply('firewall,ban');
      });

      it('lets SSH, 80, 443 and what the site opened through, and nothing else', async () => {
        for (const family of await seen()) expect(family).toEqual({ ...open, ...closed });
        expect(await host.output('ufw status verbose')).toMatch(/22\/tcp.*LIMIT IN/);
      });

      it('has nothing left to do', async () => {
        expect(await stages.run('check', 'firewall')).toMatchObject({ lines: [] });
        expect(await stages.run('check', 'ban')).toMatchObject({ lines: [] });
      });

      it('is not believed when SSH does not answer from outside', async () => {
        await host.output('nft insert rule inet landfall from-outside tcp dport 22 drop');
        const { error } = await stages.run('prove', 'firewall');
        await host.output('systemctl reload landfall-firewall');
        expect(error?.problems.map(({ message }) => message)).toEqual([
          'SSH at port 22 is filtered over IPv4 from outside',
          'SSH at port 22 is filtered over IPv6 from outside',
        ]);
        expect(await stages.run('prove', 'firewall')).not.toHaveProperty('error');
        expect(await host.output('ip netns; ip -o link')).not.toContain('landfall');
      });

      it('closes the direct way to a container, and to loopback', async () => {
        const address = await containerAddress(host);
        await outsider.routeThrough(`${address}/32`, host.addresses.v4);
        expect(await outsider.ports(address, [80])).toEqual({ 80: 'filtered' });
        await outsider.run('sysctl -w net.ipv4.conf.all.route_localnet=1');
        await outsider.run(`ip route replace 127.0.0.77/32 via ${host.addresses.v4} table local`);
        expect(await outsider.ports('127.0.0.77', [loopbackPort])).not.toMatchObject({
          [loopbackPort]: 'open',
        });
      });

      it('leaves loopback ports to tunnels, and containers to the server', async () => {
        await host.output(`curl -sf -o /dev/null http://127.0.0.1:${loopbackPort}/`);
        await host.output(`curl -sf -o /dev/null http://${await containerAddress(host)}/`);
      });

      it('keeps containers from metadata, from SSH, and from the ports of the host', async () => {
        expect(await host.run(`curl -sf -m 3 http://${metadata}/`)).toMatchObject({ exitCode: 0 });
        expect(await reaches(host, metadata, 80)).toBe(false);
        expect(await reaches(host, host.addresses.v4, 22)).toBe(false);
        expect(await reaches(host, '172.29.0.1', hostPort)).toBe(false);
      });

      it('outlives a restart of the engine', async () => {
        await host.output('systemctl restart docker');
        await host.waitFor(`curl -sf -o /dev/null http://127.0.0.1:${publishedPort}/`, 60);
        for (const family of await seen()) expect(family).toEqual({ ...open, ...closed });
      });

      it('comes back when somebody lets nftables.service flush every table', async () => {
        for (const action of ['start', 'reload', 'restart', 'stop']) {
          await host.output(`systemctl ${action} nftables`);
          expect(await host.output('nft list tables')).toContain('table inet landfall');
          for (const family of await seen()) expect(family).toMatchObject(closed);
        }
        await host.output('systemctl disable --now nftables; systemctl start landfall-firewall');
        await host.output('ufw --force enable; systemctl restart docker');
      });

      it('is there after a reboot, before the engine', async () => {
        await host.reboot();
        await host.waitFor('systemctl is-active docker && systemctl is-active ssh');
        await listen();
        for (const family of await seen()) expect(family).toEqual({ ...open, ...closed });
        const order = await host.output(
          'systemctl show -p ActiveEnterTimestampMonotonic --value landfall-firewall ufw docker',
        );
        const [own = 0, , docker = 0] = order.split('\n').filter(Boolean).map(Number);
        expect(own).toBeLessThan(docker);
      });
    });

    describe('changed by hand', () => {
      it('opens a port for the host and for containers at once', async () => {
        await stages.run('allow', `${publishedPort}/tcp`);
        await stages.run('allow', `${hostPort}/tcp`);
        const wanted = { [publishedPort]: 'open', [hostPort]: 'open' };
        for (const family of await seen()) expect(family).toMatchObject(wanted);
        expect(await host.output('ufw status')).toMatch(/8080\/tcp +ALLOW/);
      });

      it('closes a port, and opens it again where nobody logs in to confirm', async () => {
        await stages.run('deny', `${publishedPort}/tcp`);
        for (const family of await seen()) {
          expect(family).toMatchObject({ [publishedPort]: 'filtered' });
        }
        await host.output('sh /var/lib/landfall/undo/firewall.sh');
        for (const family of await seen())
          expect(family).toMatchObject({ [publishedPort]: 'open' });
        expect(await host.output('ufw status')).toMatch(/8080\/tcp +ALLOW/);
      });

      it('closes a port for good once a new login confirms', async () => {
        await stages.run('deny', `${publishedPort}/tcp`);
        for (const action of ['deny', 'allow']) {
          expect(await stages.run(action, '9999/tcp')).toMatchObject({
            error: { code: 'UNCONFIRMED' },
          });
        }
        const command = `${StageRunner.command} confirm`;
        const login = { user: 'root', host: host.addresses.v4, command };
        expect(await outsider.ssh(login)).toMatchObject({ exitCode: 0 });
        for (const family of await seen()) {
          expect(family).toMatchObject({ [publishedPort]: 'filtered' });
        }
        expect(await stages.run('check', 'firewall')).toMatchObject({ lines: [] });
      });

      it('never closes SSH', async () => {
        expect(await stages.run('deny', '22/tcp')).toMatchObject({ error: { code: 'USAGE' } });
        expect(await stages.run('deny', '20-30/tcp')).toMatchObject({ error: { code: 'USAGE' } });
      });

      it('by ufw alone is noticed and named', async () => {
        await host.output('ufw allow 9000/tcp; ufw allow 22');
        expect(await stages.run('check', 'firewall')).toMatchObject({ lines: [] });
        const { error, warned } = await stages.run('prove', 'firewall');
        expect(error).toBeUndefined();
        expect(warned).toEqual([
          expect.stringMatching(/^9000\/tcp is open in UFW, .*sudo ufw delete allow 9000\/tcp$/),
          expect.stringMatching(/^22\/udp is open in UFW, .*sudo ufw delete allow 22$/),
        ]);
        await host.output('ufw delete allow 9000/tcp; ufw delete allow 22');
      });

      it('by the site closes in UFW what it had opened', async () => {
        await stages.give({ site: {} });
        expect((await stages.run('check', 'firewall')).lines).not.toEqual([]);
        await apply('firewall,ban');
        expect(await host.output('ufw status')).not.toContain('8443');
        for (const family of await seen()) expect(family).toMatchObject({ 8443: 'filtered' });
        expect(await stages.run('check', 'firewall')).toMatchObject({ lines: [] });
      });
    });
  });
}
