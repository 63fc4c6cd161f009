import { expect, it } from 'vitest';
import type { FastHost } from './fast-host.ts';
import type { Premises } from './premises.ts';

/** Exit codes of ssh-audit: connected without a finding, or with warnings but no failure. */
const withoutFailure = [0, 2];

/**
 * Tests what well-known auditors find, and puts lynis' own figures into the output.
 * @param before the hardening index of the server without Landfall
 */
export function itPassesAudits(premises: () => Premises, before: () => number): void {
  it('shows ssh-audit no failure', async () => {
    const auditor = await premises().cloud.outsider();
    await auditor.install('ssh-audit');
    // Its flood of connections is what the firewall holds back, and it breaks off over that.
    const calm = "$(ssh-audit --help 2>&1 | grep -o -- '--skip-rate-test' | head -1)";
    const ran = await auditor.run(`ssh-audit ${calm} --level=warn ${premises().host.addresses.v4}`);
    expect(withoutFailure, ran.stdout).toContain(ran.exitCode);
    expect(ran.stdout).not.toContain('[fail]');
  });

  it('has a higher hardening index of lynis than the same server before', async () => {
    const { host } = premises();
    const after = await lynisIndex(host);
    console.log(
      `lynis hardening index of ${host.distribution}: ${before()} before, ${after} after`,
    );
    expect(after).toBeGreaterThan(before());
  });
}

/** Lynis takes half a minute to a minute, and one processor. */
export async function lynisIndex(host: FastHost): Promise<number> {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const install = 'apt-get -q update && apt-get -qy install --no-install-recommends lynis';
  await host.output(install, { env });
  const text = await host.output('lynis audit system --quick --no-colors', { limit: 3000 });
  return Number(/Hardening index : (\d+)/.exec(text)?.[1]);
}
