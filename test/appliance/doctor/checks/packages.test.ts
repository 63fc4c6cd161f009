import { describe, expect, it } from 'vitest';
import { packagesCheck } from '../../../../appliance/doctor/checks/packages.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { look } from '../look.ts';

const audit = `The following packages are only half configured, probably due to problems
configuring them the first time.  The configuration should be retried using
dpkg --configure <package> or the configure menu option in dselect:
 ufw                  program for managing a Netfilter firewall
`;

describe('the check of packages', () => {
  it('accepts a complete installation', async () => {
    expect(await look(packagesCheck, TemporaryHost.with({}, { 'dpkg --audit': '' }))).toEqual([]);
  });

  it('finds an interrupted installation, and completes it', async () => {
    const host = TemporaryHost.with({}, { 'dpkg --audit': audit, 'dpkg --configure -a': '' });
    const [finding] = packagesCheck.needs === 'server' ? await packagesCheck.run(host) : [];
    expect(finding).toMatchObject({
      code: 'PACKAGES_BROKEN',
      details: ['ufw program for managing a Netfilter firewall'],
    });
    await finding?.fix?.apply({ host, runStage: async () => {} });
    expect(host.ran.at(-1)).toBe('dpkg --configure -a --force-confold');
  });
});
