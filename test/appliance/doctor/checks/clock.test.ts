import { describe, expect, it } from 'vitest';
import { clockCheck } from '../../../../appliance/doctor/checks/clock.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { look } from '../look.ts';

describe('the check of the clock', () => {
  const release = (created: string) => ({ release: { created } });

  it('trusts a synchronised clock', async () => {
    const host = TemporaryHost.with({}, { timedatectl: 'yes' });
    expect(await look(clockCheck, host)).toEqual([]);
  });

  it('finds a clock before the date of the release', async () => {
    const host = TemporaryHost.with({}, { timedatectl: 'yes' });
    expect(await look(clockCheck, host, release('2090-01-01T00:00:00Z'))).toEqual([
      ['CLOCK_WRONG', 'clock', expect.stringMatching(/^the clock is wrong: it shows .*before the/)],
    ]);
  });
});
