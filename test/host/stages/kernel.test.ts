import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import type { FastHost } from '../machine/fast-host.ts';
import { Cloud } from '../network/cloud.ts';
import { StageRunner } from '../stage-runner/stage-runner.ts';
import { itPassesThePreflight } from './preflight-view.ts';

/** Kernel settings that all containers share: the machine's values must stay unchanged. */
const shared = 'cd /proc/sys && grep -H . kernel/kptr_restrict kernel/core_pattern vm/swappiness';

for (const distribution of distributions(['debian13'])) {
  const given = hostNeeds(distribution);

  given.describe(`the first stages of ${distribution} in a container`, () => {
    let cloud: Cloud;
    let host: FastHost;
    let stages: StageRunner;
    let before: string;

    beforeAll(async () => {
      cloud = await Cloud.open(given.dependencies);
      host = await cloud.bootEmpty(distribution);
      before = await host.output(shared);
      stages = await StageRunner.install(host, {});
    });
    afterAll(() => cloud.close());

    describe('with the preflight', () => itPassesThePreflight(() => ({ cloud, host, stages })));

    describe('with the settings of the kernel', () => {
      beforeAll(() => stages.give({ site: {} }));

      it('applies and verifies the kernel settings in a container once', async () => {
        const { error, warned } = await stages.run('apply', 'kernel');
        expect(error).toBeUndefined();
        expect(warned).toEqual([
          expect.stringMatching(/^this is a container \(docker\).*: the clock, swap, its modules$/),
        ]);
        expect((await stages.run('check', 'kernel')).lines).toEqual([]);
      });

      it('do not change the kernel of the machine', async () => {
        expect(await host.output(shared)).toBe(before);
        expect(await host.output('cat /proc/sys/net/ipv4/conf/all/accept_redirects')).toBe('0');
      });

      it('exclude Docker from upgrades, with the real unattended-upgrades', async () => {
        const script = [
          'import apt_pkg, importlib.machinery as m, importlib.util as u',
          'apt_pkg.init()',
          "l = m.SourceFileLoader('uu', '/usr/bin/unattended-upgrade')",
          "uu = u.module_from_spec(u.spec_from_loader('uu', l)); l.exec_module(uu)",
          "black = apt_pkg.config.value_list('Unattended-Upgrade::Package-Blacklist')",
          "names = ['docker.io', 'containerd', 'runc', 'docker-ce', 'openssl', 'libc6']",
          'print([n for n in names if uu.is_pkgname_in_blacklist(n, black)])',
        ].join('\n');
        expect(await host.output(['python3', '-c', script])).toBe(
          "['docker.io', 'containerd', 'runc', 'docker-ce']",
        );
      });

      it('limit the size of the journal on disk', async () => {
        expect(await host.output('ls /var/log/journal | wc -l')).toBe('1');
      });

      it('disable core dumps for a login', async () => {
        expect(await host.output("su - 'nobody' -s /bin/sh -c 'ulimit -Hc'")).toBe('0');
      });

      it('persist over a reboot', async () => {
        await host.reboot();
        await host.waitFor('systemctl is-active multi-user.target');
        expect(await stages.run('prove', 'kernel')).not.toHaveProperty('error');
      });
    });
  });
}
