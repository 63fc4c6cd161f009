import { describe, expect, it } from 'vitest';
import { statusFile } from '#contract/server-paths.ts';
import { firstBootCheck } from '../../../../appliance/doctor/checks/first-boot.ts';
import { statusOf } from '../../progress/status-of.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { look } from '../look.ts';

const server = (...given: Parameters<typeof statusOf>) =>
  TemporaryHost.with({ [statusFile]: JSON.stringify(statusOf(...given)) });

describe('the check of the first boot', () => {
  it('finds a failed one with its cause', async () => {
    const error = { code: 'DISK_FULL', message: 'the disk is full', retriable: false };
    expect(await look(firstBootCheck, server('images', 'failed', { error }))).toEqual([
      [
        'FIRST_BOOT_FAILED',
        'first-boot',
        'the last first boot failed: DISK_FULL: the disk is full',
      ],
    ]);
  });

  it('finds an interrupted one', async () => {
    expect(await look(firstBootCheck, server('images'))).toEqual([
      ['FIRST_BOOT_FAILED', 'first-boot', 'the last first boot was interrupted'],
    ]);
  });

  it('accepts a completed one', async () => {
    expect(await look(firstBootCheck, server(undefined))).toEqual([]);
  });
});
