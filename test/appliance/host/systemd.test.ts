import { describe, expect, it } from 'vitest';
import { ensureEnabled } from '../../../appliance/host/systemd.ts';
import { TemporaryHost } from '../temporary-host.ts';

describe('ensureEnabled', () => {
  it.each([
    ['enables a disabled unit', 1, ['systemctl enable --quiet docker.service']],
    ['keeps an enabled unit', 0, []],
  ])('%s', async (_what, code, ran) => {
    const host = TemporaryHost.with(
      {},
      { 'systemctl is-enabled': code, 'systemctl enable --quiet docker.service': '' },
    );
    await ensureEnabled(host, 'docker.service');
    expect(host.ran.slice(1)).toEqual(ran);
  });
});
