import { describe, expect, it } from 'vitest';
import { portsCheck } from '../../../../appliance/doctor/checks/ports.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { look } from '../look.ts';

describe('the check of ports', () => {
  it('finds another program on a port of the site', async () => {
    const ss = 'LISTEN 0 5 127.0.0.1:3000 0.0.0.0:* users:(("python3",pid=99,fd=4))\n';
    expect(await look(portsCheck, TemporaryHost.with({}, { ss }))).toEqual([
      ['PORT_USED', '3000', 'port 3000 (ports.ui) is already used by python3 (process 99)'],
    ]);
  });
});
