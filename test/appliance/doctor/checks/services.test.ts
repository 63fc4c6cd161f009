import { describe, expect, it } from 'vitest';
import { servicesCheck } from '../../../../appliance/doctor/checks/services.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { look } from '../look.ts';

describe('the check of services', () => {
  it('finds failed units of Landfall, and ignores those of the administrator', async () => {
    const text =
      'landfall-firewall.service loaded failed failed Firewall\nmy-game.service loaded failed failed x\n';
    const host = TemporaryHost.with({}, { 'systemctl list-units --failed': text });
    expect(await look(servicesCheck, host)).toEqual([
      [
        'SERVICE_FAILED',
        'landfall-firewall.service',
        'the unit landfall-firewall.service has failed',
      ],
    ]);
  });
});
