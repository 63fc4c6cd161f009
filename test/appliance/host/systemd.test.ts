import { describe, expect, it } from 'vitest';
import { ensureEnabled } from '../../../appliance/host/systemd.ts';
import { TemporaryHost } from '../temporary-host.ts';

describe('a unit that starts at boot', () => {
  it.each([
    ['is enabled where it is not', 1, ['systemctl enable --quiet docker.service']],
    ['is left alone where it is', 0, []],
  ])('%s', async (_what, code, ran) => {
    const host = TemporaryHost.with(
      {},
      { 'systemctl is-enabled': code, 'systemctl enable --quiet docker.service': '' },
    );
    await ensureEnabled(host, 'docker.service');
    expect(host.ran.slice(1)).toEqual(ran);
  });
});
