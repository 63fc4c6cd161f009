import { describe, expect, it } from 'vitest';
import type { Premises } from '../boot/premises.ts';
import type { FastHost } from '../machine/fast-host.ts';

/** Slow tests of lynis, about the age of packages and of authorities, which are not Landfall's. */
const skippedTests = ['PKGS-7392', 'CRYP-7902'];

/** Exit codes of ssh-audit: connected without a finding, or with warnings but no failure. */
const withoutFailure = [0, 2];

/**
 * Tests the results of well-known auditors, and prints lynis' own figures.
 * @param indexBefore the hardening index of the server without Landfall
 */
export function itPassesAudits(premises: () => Premises, indexBefore: () => number): void {
  // ssh-audit mostly waits.
  describe.concurrent('by two programs at once', () => {
    it('passes ssh-audit without a failure', async () => {
      const auditor = await premises().cloud.outsider();
      await auditor.install('ssh-audit');
      // The firewall blocks the connection flood of ssh-audit, which then aborts.
      const calm = "$(ssh-audit --help 2>&1 | grep -o -- '--skip-rate-test' | head -1)";
      const ran = await auditor.run(
        `ssh-audit ${calm} --level=warn ${premises().host.addresses.v4}`,
      );
      expect(withoutFailure, ran.stdout).toContain(ran.exitCode);
      expect(ran.stdout).not.toContain('[fail]');
    });

    it('raises the lynis hardening index of the server', async () => {
      const { host } = premises();
      const after = await lynisIndex(host);
      console.log(
        `lynis hardening index of ${host.distribution}: ${indexBefore()} before, ${after} after`,
      );
      expect(after).toBeGreaterThan(indexBefore());
    });
  });
}

/** Returns lynis' hardening index of a server of the same distribution without Landfall. */
export async function lynisIndexOfFresh({
  cloud,
  host: { distribution },
}: Premises): Promise<number> {
  const userData = '#cloud-config\nlocale: C.UTF-8\n';
  const fresh = await cloud.boot({ distribution, userData });
  expect(await fresh.cloudInit()).toBe('done');
  const index = await lynisIndex(fresh);
  await fresh.remove();
  return index;
}

/** Takes half a minute to a minute on one CPU. */
async function lynisIndex(host: FastHost): Promise<number> {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const install = 'apt-get -q update && apt-get -qy install --no-install-recommends lynis';
  await host.output(install, { env });
  const skips = skippedTests.map((test) => `skip-test=${test}\n`);
  await host.put('/etc/lynis/custom.prf', skips.join(''));
  const text = await host.output('lynis audit system --quick --no-colors', { limit: 3000 });
  return Number(/Hardening index : (\d+)/.exec(text)?.[1]);
}
