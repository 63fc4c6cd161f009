import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CertificateAuthority } from '../../faulty-server/certificates.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import type { FastHost } from '../machine/fast-host.ts';
import { Cloud } from '../network/cloud.ts';
import { StageRunner } from '../stage-runner/stage-runner.ts';
import { itRedirectsAUser } from './redirect-view.ts';
import { itUsesASocksProxy } from './route-socks-view.ts';

const sources = '/etc/apt/sources.list.d/debian.sources';

/** Prints every file of /etc with its permissions, and the rules of nft and ip. */
const portrait = `
  find /etc -printf '%y %m %U %G %p %l\\n' | sort
  find /etc -type f -exec sha256sum {} + | sort
  nft list ruleset 2>/dev/null; ip rule; ip route`;

for (const distribution of distributions([
  'debian13',
  'debian12',
  'ubuntu-like',
  'resolute-like',
])) {
  const given = hostNeeds(distribution);
  const codename = distribution === 'debian12' ? 'bookworm' : 'trixie';
  const release = `http://deb.debian.org/debian/dists/${codename}/InRelease`;

  given.describe(`${distribution} on a network without direct internet access`, () => {
    let cloud: Cloud;
    let host: FastHost;
    let stages: StageRunner;
    /** /etc before the stage ran for the first time. */
    let before: string;
    const server = () => ({ cloud, host, stages });

    beforeAll(async () => {
      cloud = await Cloud.open(given.dependencies, { sealed: true });
      host = await cloud.bootEmpty(distribution);
      // Its package sources are Debian's, so the stage must read that name.
      if (distribution === 'resolute-like')
        await host.output('ln -sf ../usr/lib/os-release /etc/os-release');
      stages = await StageRunner.install(host, {});
      // User-data creates this folder on a server.
      await host.output('mkdir -p /etc/landfall');
      before = await host.output(portrait);
    });
    afterAll(() => cloud.close());

    it('fails with a direct connection, and names the unreachable endpoints', async () => {
      const { error } = await stages.run('apply', 'route');
      expect(error?.code).toBe('ROUTE_BLOCKED');
      expect(error?.message).toBe('required hosts cannot be reached directly');
      expect(error?.problems.map(({ message }) => message).sort()).toEqual([
        expect.stringMatching(/^packages of deb\.debian\.org: /),
        // Debian's cloud images have security updates on the same host.
        expect.stringMatching(/^packages of (deb|security)\.debian\.org: /),
      ]);
    });

    describe('with an HTTP proxy', () => {
      const route = () => ({ mode: 'http-proxy', url: cloud.packages });

      it('uses the proxy, and announces it in the plan', async () => {
        await stages.give({ site: { route: route() } });
        expect((await stages.run('check', 'route')).lines).toEqual([
          'set the proxy for packages',
          'set the proxy for services',
          'set the proxy for login shells',
        ]);
        expect(await stages.run('apply', 'route')).not.toHaveProperty('error');
        expect((await stages.run('check', 'route')).lines).toEqual([]);
      });

      it('undoes the HTTP proxy, and restores /etc and the rules of nft and ip byte for byte', async () => {
        const applied = await host.output(portrait);
        expect((await stages.run('undoRoute')).lines).toEqual([]);
        const undone = await host.output(portrait);
        expect(undone).toBe(before);
        expect(applied).not.toBe(before);
        expect(await stages.run('apply', 'route')).not.toHaveProperty('error');
        expect(await host.output(portrait)).toBe(applied);
      });

      it('downloads package lists through the HTTP proxy, readable for users without root', async () => {
        await host.output('apt-get update --error-on=any');
        expect(await host.output('apt-cache policy ufw', { user: 'nobody' })).toContain(
          'Candidate',
        );
      });

      it('sets the same variables in a shell and in a service', async () => {
        const shell = 'set -a; . /etc/landfall/proxy.env; env';
        const service =
          'systemd-run --quiet --pipe --wait --property=EnvironmentFile=/etc/landfall/proxy.env env';
        const only = "| grep -i '_proxy=' | sort";
        const seen = await host.output(`${service} ${only}`);
        expect(seen).toBe(await host.output(`(${shell}) ${only}`));
        expect(seen).toContain(`HTTPS_PROXY=${cloud.packages}`);
      });

      const only = "env | grep -i '_proxy=' | cut -d= -f1 | sort | tr '\\n' ' '";
      const all = 'HTTPS_PROXY HTTP_PROXY NO_PROXY http_proxy https_proxy no_proxy ';

      it.each(['sh', 'bash'])(
        'turns the proxy on in login shells of %s, until proxy_off',
        async (shell) => {
          const login = (script: string) =>
            host.output(
              `env -i HOME=/tmp PATH="$PATH" ${shell} -lc '${script.replaceAll("'", `'\\''`)}'`,
            );
          expect(await login(only)).toBe(all.trimEnd());
          expect(await login(`proxy_off; ${only}`)).toBe('Proxy off');
          expect(await login(`proxy_off; proxy_on; ${only}`)).toBe(
            `Proxy off\nProxy on\n${all.trimEnd()}`,
          );
        },
      );

      it('keeps the proxy variables in sudo', async () => {
        await host.output('visudo --check');
        await host.output('useradd --create-home --groups sudo --shell /bin/bash ops');
        await host.output("echo 'ops ALL=(ALL:ALL) NOPASSWD: ALL' > /etc/sudoers.d/ops");
        const asRoot = `su - ops -c 'sudo printenv https_proxy'`;
        expect(await host.output(asRoot)).toBe(cloud.packages);
        const fetched = await host.output(`su - ops -c 'curl -sS ${release}'`);
        expect(fetched).toContain('Suite:');
      });

      it('warns about a provider that is unreachable through the proxy', async () => {
        const providers = { openai: { base_url: 'https://api.provider.invalid/v1' } };
        await stages.give({ site: { route: route(), providers } });
        const { warned, error } = await stages.run('prove', 'route');
        expect(error).toBeUndefined();
        expect(warned).toEqual([expect.stringMatching(/^the provider openai cannot be reached/)]);
      });

      it('detects settings from elsewhere that take precedence', async () => {
        await host.put('/etc/apt/apt.conf.d/99zz', 'Acquire::http::Proxy "http://10.0.0.9:1";\n');
        expect(await stages.run('prove', 'route')).toMatchObject({
          error: { message: 'apt does not use the proxy of the site' },
        });
        await host.output('rm /etc/apt/apt.conf.d/99zz');
      });
    });

    describe('with a CA of the site', () => {
      const bundle = '/etc/ssl/certs/ca-certificates.crt';
      const authority = new CertificateAuthority('Landfall test CA');

      it('trusts the CA of the site in the system, in login shells and with sudo', async () => {
        const clean = await host.output('ls /etc/ssl/certs; sha256sum /etc/ssl/certs/*.crt');
        const route = { mode: 'http-proxy', url: cloud.packages };
        await stages.give({ site: { route, ca: authority.cert } });
        expect(await stages.run('apply', 'route')).not.toHaveProperty('error');
        expect((await stages.run('check', 'route')).lines).toEqual([]);
        await host.put('/tmp/ca.pem', authority.cert);
        await host.output('openssl verify -CApath /etc/ssl/certs /tmp/ca.pem');
        for (const name of ['REQUESTS_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE']) {
          expect(await host.output(`sh -lc 'printenv ${name}'`)).toBe(bundle);
          expect(await host.output(`su - ops -c 'sudo printenv ${name}'`)).toBe(bundle);
        }
        await stages.run('undoRoute');
        expect(await host.output('ls /etc/ssl/certs; sha256sum /etc/ssl/certs/*.crt')).toBe(clean);
        await stages.give({ site: { route } });
        expect(await stages.run('apply', 'route')).not.toHaveProperty('error');
      });
    });

    describe('with mirrors', () => {
      const mirrors = () => ({
        apt: `${cloud.packages}/debian`,
        apt_security: `${cloud.packages}/debian-security`,
      });

      it('takes packages from the mirror, without the proxy', async () => {
        await stages.give({ site: { mirrors: mirrors() } });
        expect((await stages.run('check', 'route')).lines).toEqual([
          'remove the proxy for packages',
          'remove the proxy for services',
          'remove the proxy for login shells',
          `use the mirror ${cloud.packages}/debian in ${sources}`,
        ]);
        expect(await stages.run('apply', 'route')).not.toHaveProperty('error');
        await host.output('apt-get update --error-on=any');
        const indexes = await host.output("apt-get indextargets --format '$(SITE)' | sort -u");
        expect(indexes).toBe(Object.values(mirrors()).join('\n'));
      });

      it('keeps a copy of the previous sources, also after cloud-init runs again', async () => {
        const kept = await host.output(`cat /var/lib/landfall/apt-sources${sources}`);
        expect(kept).toMatch(/^URIs: (mirror\+file:|http:\/\/deb\.debian\.org\/debian$)/m);
        await host.output('cloud-init single --name apt-configure --frequency always');
        expect(await host.output(`cat ${sources}`)).toContain(`URIs: ${cloud.packages}/debian`);
      });
    });

    describe('with a SOCKS5 proxy that requires a login and resolves names', () =>
      itUsesASocksProxy(server, codename));

    describe('with a redirected user', () => itRedirectsAUser(server));
  });
}
