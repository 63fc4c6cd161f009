import { afterAll, beforeAll, expect, it } from 'vitest';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import type { FastHost } from '../machine/fast-host.ts';
import { Cloud } from '../network/cloud.ts';
import type { Outsider } from '../network/outsider.ts';
import { StageRunner } from '../stage-runner/stage-runner.ts';

const unit = 'landfall-socks.service';
/** The private network of the devices, such as that of WireGuard. */
const [own, device, range] = ['10.99.0.1', '10.99.0.2', '10.99.0.0/24'];
/** A host of the internet. */
const web = '203.0.113.80';
/** Hosts that the server reaches, but clients of the SOCKS5 server must not. */
const inner = { metadata: '169.254.169.254', container: '172.17.0.2', lan: '10.98.0.7' };
const portrait = `
  find /etc -printf '%y %m %U %G %p %l\\n' | sort
  find /etc -type f -exec sha256sum {} + | sort
  nft list table inet landfall-socks 2>&1; ip rule; ip route`;

for (const distribution of distributions(['debian13'])) {
  const given = hostNeeds(distribution);

  given.describe(`${distribution} with a SOCKS5 server`, () => {
    let cloud: Cloud;
    let host: FastHost;
    let stages: StageRunner;
    /** A device of the user. Also serves the page of the internet and of the inner hosts. */
    let client: Outsider;
    let stranger: Outsider;
    let password: string;
    let before: string;

    const site = { socks: { listen: own, allow: [range] } };
    const through = async (from: Outsider, url: string, login = `landfall:${password}@`) => {
      const proxy = `socks5h://${login}${own}:7891`;
      const call = `curl -sS -m 4 -o /dev/null -w '%{http_code}' --noproxy '' -x ${proxy} ${url}`;
      return await from.run(call);
    };

    beforeAll(async () => {
      cloud = await Cloud.open(given.dependencies);
      cloud.names.set('web.test', { v4: web });
      cloud.names.set('rebind.test', { v4: inner.lan });
      const booting = cloud.boot({ distribution, userData: '#cloud-config\n{}\n' });
      client = await cloud.outsider();
      stranger = await cloud.outsider();
      host = await booting;
      await host.cloudInit();
      for (const address of [web, ...Object.values(inner)]) {
        await client.run(`ip address add ${address}/32 dev eth0`);
        await host.output(`ip route add ${address} via ${client.addresses.v4}`);
      }
      await client.run('setsid -f python3 -m http.server 80 --directory /mnt >/dev/null 2>&1');
      await stranger.run(`ip route add ${own} via ${host.addresses.v4}`);
      await host.output('mkdir -p /etc/landfall');
      stages = await StageRunner.install(host, site);
    });
    afterAll(() => cloud.close());

    it('starts when its address exists, and is a warning until then', async () => {
      const { error, warned } = await stages.run('apply', 'route');
      expect(error).toBeUndefined();
      expect(warned).toEqual([expect.stringContaining(`waits for its address ${own}`)]);
      await stages.run('undoRoute');
      await host.output(`ip address add ${own}/24 dev eth0`);
      await client.run(`ip address add ${device}/24 dev eth0`);
      before = await host.output(portrait);
      expect(await stages.run('apply', 'route')).toMatchObject({ warned: [] });
      expect((await stages.run('check', 'route')).lines).toEqual([]);
      password = await host.output('cat /etc/landfall/secrets/SOCKS_PASSWORD');
    });

    it('serves a device with the login, and resolves names on the server', async () => {
      expect(await through(client, 'http://web.test/')).toMatchObject({ stdout: '200' });
    });

    it.each(['', 'landfall:wrong@', 'other:wrong@'])('rejects the login %j', async (login) => {
      expect(await through(client, 'http://web.test/', login)).toMatchObject({ exitCode: 97 });
    });

    it.each([...Object.values(inner), 'rebind.test'])(
      'does not lead to %s, which the server reaches',
      async (target) => {
        await host.output(`curl -sS -m 4 -o /dev/null http://${target}/`);
        expect(await through(client, `http://${target}/`)).toMatchObject({ exitCode: 97 });
      },
    );

    it('does not lead to services of the server', async () => {
      const addresses = ['127.0.0.1', '0.0.0.0', '[::1]', '[::ffff:127.0.0.1]'];
      for (const address of [...addresses, own, host.addresses.v4, `[${host.addresses.v6}]`]) {
        expect(await through(client, `http://${address}:22/`)).toMatchObject({ exitCode: 97 });
      }
    });

    it('keeps its rules after nftables flushes all tables', async () => {
      await host.output('systemctl restart nftables.service');
      expect(await through(client, `http://${inner.lan}/`)).toMatchObject({ exitCode: 97 });
      expect(await through(client, 'http://web.test/')).toMatchObject({ stdout: '200' });
    });

    it('removes its rules when it stops, and loads them before it starts', async () => {
      await host.output(`systemctl stop ${unit}`);
      expect((await host.run('nft list table inet landfall-socks')).exitCode).not.toBe(0);
      await host.output(`systemctl start ${unit}; nft list table inet landfall-socks`);
    });

    it('runs without privileges, and shows its password to root only', async () => {
      const exposure = await host.output(`systemd-analyze security --no-pager ${unit} | tail -1`);
      expect(exposure).toMatch(/exposure level for .*: [0-2]\.\d OK/);
      expect(await host.output('ps -o user= -C microsocks')).not.toBe('root');
      const shown = `ps axww; systemctl show ${unit}; journalctl -u ${unit}; cat /etc/landfall/*`;
      expect((await host.run(shown, { user: 'nobody' })).stdout).not.toContain(password);
      expect(await host.output('ps axww')).not.toContain(password);
      const memory = await host.output('grep ^Pss: /proc/$(pidof microsocks)/smaps_rollup');
      console.log(`microsocks on ${distribution}: ${memory}`);
    });

    it('undoes the SOCKS5 server with the route, byte for byte, and keeps its password', async () => {
      expect((await stages.run('undoRoute')).error).toBeUndefined();
      expect(await host.output(portrait)).toBe(before);
      expect(await stages.run('apply', 'route')).not.toHaveProperty('error');
      expect(await through(client, 'http://web.test/')).toMatchObject({ stdout: '200' });
    });

    it('opens the SOCKS5 server only at its address and only to its clients', async () => {
      expect(await stages.run('apply', 'firewall')).not.toHaveProperty('error');
      expect(await through(client, 'http://web.test/')).toMatchObject({ stdout: '200' });
      expect(await stranger.ports(own, [7891])).toEqual({ 7891: 'filtered' });
      expect(await stranger.ports(host.addresses.v4, [7891])).toEqual({ 7891: 'filtered' });
      expect(await client.ports(host.addresses.v6, [7891])).toEqual({ 7891: 'filtered' });
      expect(await host.output('ufw status')).toContain('7891/tcp');
      expect((await stages.run('check', 'firewall')).lines).toEqual([]);
    });
  });
}
