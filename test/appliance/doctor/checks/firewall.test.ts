import { describe, expect, it } from 'vitest';
import { firewallCheck } from '../../../../appliance/doctor/checks/firewall.ts';
import { sshAnswers } from '../../answers.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { look } from '../look.ts';

describe('the check of the firewall', () => {
  it('finds a table that is not loaded, and a port that only UFW opens', async () => {
    const rules = ['22/tcp (OpenSSH)', '80/tcp', '443/tcp', '9000/tcp']
      .map((rule) => `${rule.padEnd(27)}ALLOW IN    Anywhere\n`)
      .join('');
    const ufw = `Status: active\nDefault: deny (incoming), allow (outgoing)\n\n${rules}`;
    const host = TemporaryHost.with(
      {},
      { ...sshAnswers, 'ufw status': ufw, nft: 1, getent: 2, ip: '[]' },
    );
    expect(await look(firewallCheck, host)).toEqual([
      ['FIREWALL_DIFFERS', 'firewall', "Landfall's table is not loaded"],
      ['PORT_CLOSED', '9000/tcp', "9000/tcp is open in UFW, but closed in Landfall's table"],
    ]);
  });
});
