import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import type { FastHost } from '../machine/fast-host.ts';
import { Cloud } from '../network/cloud.ts';
import type { Outsider } from '../network/outsider.ts';
import { StageRunner } from '../stage-runner/stage-runner.ts';
import { itServesDevices } from './socks-view.ts';

/** A name for which the DNS server of the network gives a wrong address. */
const polluted = 'mirror.test';
const address = `getent ahostsv4 ${polluted} | awk '{print $1; exit}'`;
const portrait = `
  find /etc -printf '%y %m %U %G %p %l\\n' | sort
  find /etc -type f -exec sha256sum {} + | sort; cat /etc/resolv.conf`;

for (const distribution of distributions(['debian13', 'ubuntu-like'])) {
  const given = hostNeeds(distribution);

  given.describe(`${distribution} with DNS servers of the site`, () => {
    let cloud: Cloud;
    let host: FastHost;
    let stages: StageRunner;
    /** Runs a real DNS server, dnsmasq. */
    let resolver: Outsider;
    let right: string;
    let before: string;
    let mirrors: object;

    const serveNames = (on: string) =>
      resolver.run(
        `pkill dnsmasq; dnsmasq --user=root --no-resolv --no-hosts --bind-interfaces --except-interface=none ` +
          `--listen-address=${on} --address=/${polluted}/${right} --server=${cloud.network.gateway.v4}`,
      );

    beforeAll(async () => {
      cloud = await Cloud.open(given.dependencies);
      resolver = await cloud.outsider();
      right = cloud.network.gateway.v4;
      cloud.names.set(polluted, { v4: resolver.addresses.v4 });
      const booting = cloud.boot({ distribution, userData: '#cloud-config\n{}\n' });
      await resolver.install('dnsmasq-base');
      expect(await serveNames(resolver.addresses.v4)).toMatchObject({ exitCode: 0 });
      host = await booting;
      await host.cloudInit();
      await host.output('mkdir -p /etc/landfall');
      const mirror = `http://${polluted}:${new URL(cloud.packages).port}`;
      mirrors = { apt: `${mirror}/debian`, apt_security: `${mirror}/debian-security` };
      stages = await StageRunner.install(host, { mirrors });
    });
    afterAll(() => cloud.close());

    if (distribution === 'debian13') {
      describe('with a SOCKS5 server', () => itServesDevices(() => ({ cloud, host, stages })));
    }

    it('gets a wrong address without them', async () => {
      expect(await host.output(address)).toBe(resolver.addresses.v4);
    });

    describe('through systemd-resolved', () => {
      beforeAll(async () => {
        before = await host.output(portrait);
      });

      it('gets the right address, and /etc/resolv.conf stays a link', async () => {
        const dns = { nameserver: [resolver.addresses.v4] };
        await stages.give({ site: { mirrors, dns } });
        expect((await stages.run('check', 'route')).lines[0]).toBe(
          'set the DNS servers for systemd-resolved',
        );
        expect(await stages.run('apply', 'route')).not.toHaveProperty('error');
        expect(await host.output(address)).toBe(right);
        expect(await host.output('readlink /etc/resolv.conf')).toContain('/systemd/resolve/');
        expect((await stages.run('check', 'route')).lines).toEqual([]);
      });

      it('still uses the right servers after a restart of the network', async () => {
        await host.output('systemctl restart systemd-networkd systemd-resolved');
        expect(await host.output(address)).toBe(right);
      });

      // Regression: at the sixth restart within ten seconds, systemd stopped systemd-resolved.
      it('still uses the right servers after it was switched off and on many times', async () => {
        for (let times = 0; times < 4; times++) {
          expect((await stages.run('undoRoute')).error).toBeUndefined();
          expect(await stages.run('apply', 'route')).not.toHaveProperty('error');
        }
        expect(await host.output(address)).toBe(right);
      });

      it('restores /etc byte for byte, and the servers of the network', async () => {
        expect((await stages.run('undoRoute')).error).toBeUndefined();
        expect(await host.output(portrait)).toBe(before);
        expect(await host.output(address)).toBe(resolver.addresses.v4);
      });
    });

    const withTls = () => {
      const authority = new CertificateAuthority('Landfall test CA');

      it('sends encrypted queries only, to a server with a trusted certificate', async () => {
        const { key, cert } = authority.issue({ names: ['dns.test'] });
        await resolver.run('cat >/tmp/dns.pem', { input: cert + key });
        // Plain queries from the server find no DNS server.
        await serveNames('127.0.0.1');
        await resolver.run(
          'setsid -f socat OPENSSL-LISTEN:853,fork,reuseaddr,cert=/tmp/dns.pem,verify=0 TCP:127.0.0.1:53 >/dev/null 2>&1',
        );
        const dns = { nameserver: [`${resolver.addresses.v4}#dns.test`], tls: true };
        await stages.give({ site: { mirrors, dns, ca: authority.cert } });
        expect(await stages.run('apply', 'route')).not.toHaveProperty('error');
        expect(await host.output(address)).toBe(right);
        expect(await host.output(`resolvectl query ${polluted}`)).toContain(
          'Data was acquired via local or encrypted transport: yes',
        );
      });

      it('does not use a server with the certificate of another name', async () => {
        await host.output(
          'sed -i s/dns.test/other.test/ /etc/systemd/resolved.conf.d/zz-landfall-dns.conf; systemctl restart systemd-resolved',
        );
        const { stdout } = await host.run(`timeout 5 resolvectl query ${polluted}`);
        expect(stdout).not.toContain(right);
      });
    };
    if (distribution === 'ubuntu-like') describe('with DNS over TLS', withTls);

    const withoutResolved = () => {
      const original = () =>
        `search corp.example\nnameserver ${cloud.network.gateway.v4}\noptions timeout:1\n`;
      const renewed = [
        'reason=RENEW interface=eth0 new_domain_name_servers=192.0.2.53 dhclient-script',
        'reason=RENEW interface=eth0 if_up=true if_configured=true new_domain_name_servers=192.0.2.53 /usr/lib/dhcpcd/dhcpcd-run-hooks',
      ];

      it('rejects DNS over TLS', async () => {
        await host.output(
          'apt-get -q update && apt-get -qy install --no-install-recommends isc-dhcp-client dhcpcd-base systemd-resolved-',
        );
        await host.output('rm -f /etc/resolv.conf');
        await host.put('/etc/resolv.conf', original());
        before = await host.output(portrait);
        const dns = { nameserver: ['192.0.2.53'], tls: true };
        await stages.give({ site: { dns } });
        expect((await stages.run('check', 'route')).error?.code).toBe('SERVER_UNFIT');
      });

      it('writes /etc/resolv.conf, which DHCP clients keep', async () => {
        const dns = { nameserver: [resolver.addresses.v4] };
        await stages.give({ site: { mirrors, dns } });
        expect(await stages.run('apply', 'route')).not.toHaveProperty('error');
        expect(await host.output(address)).toBe(right);
        const text = await host.output('cat /etc/resolv.conf');
        expect(text).toContain('search corp.example\noptions timeout:1');
        for (const command of renewed) await host.output(command);
        expect(await host.output('cat /etc/resolv.conf')).toBe(text);
        expect((await stages.run('check', 'route')).lines).toEqual([]);
      });

      it('restores /etc byte for byte, and DHCP clients write the file again', async () => {
        expect((await stages.run('undoRoute')).error).toBeUndefined();
        expect(await host.output(portrait)).toBe(before);
        for (const command of renewed) {
          await host.put('/etc/resolv.conf', original());
          await host.output(command);
          expect(await host.output('cat /etc/resolv.conf')).toContain('192.0.2.53');
        }
      });
    };
    if (distribution === 'debian13') describe('without systemd-resolved', withoutResolved);
  });
}
