import { describe, expect, it } from 'vitest';
import { releaseCheck } from '../../../../appliance/doctor/checks/release.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { look } from '../look.ts';

describe('the check of the release', () => {
  it('finds an expired one', async () => {
    const release = { expires: '2020-01-01T00:00:00Z' };
    expect(await look(releaseCheck, TemporaryHost.with({}), { release })).toEqual([
      ['RELEASE_EXPIRED', '1.0.0', 'release 1.0.0 expired on 2020-01-01T00:00:00Z'],
    ]);
  });

  it('accepts one that is valid', async () => {
    expect(await look(releaseCheck, TemporaryHost.with({}))).toEqual([]);
  });
});
