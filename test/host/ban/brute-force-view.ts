import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Premises } from '../boot/premises.ts';
import type { Outsider } from '../network/outsider.ts';
import { attemptPause } from './attempt-pause.ts';

/** Failed logins that the server allows within ten minutes. */
const allowed = 5;
/** sshd does not log every failure. */
const maxAttempts = 20;

/** Tests that an attacker is banned, and that other clients are not. */
export function itBansAttackers(premises: () => Premises): void {
  let attacker: Outsider;

  // At once, because the test of passwords mostly waits.
  describe.concurrent('attacked at SSH and at the gateway', () => {
    it('bans a client after five wrong passwords', async () => {
      const { cloud, host } = premises();
      attacker = await cloud.outsider();
      let tries = 0;
      while (tries < maxAttempts && !(await isBanned(attacker))) {
        const login = { user: 'root', host: host.addresses.v4, with: { password: 'guess' } };
        expect(await attacker.ssh(login)).toMatchObject({ exitCode: 255 });
        tries += 1;
        await sleep(attemptPause);
      }
      expect(await isBanned(attacker)).toBe(true);
      expect(tries).toBeGreaterThanOrEqual(allowed);
    });

    it.each(['v4', 'v6'] as const)(
      'bans a client that scans paths of the gateway, over IP%s',
      async (family) => {
        const { cloud, host } = premises();
        const scanner = await cloud.outsider();
        const address = host.addresses[family];
        const site = `https://${family === 'v6' ? `[${address}]` : address}`;
        const scan = `for i in $(seq 60); do curl -ks -o /dev/null -m 5 ${site}/$i.php || break; done`;
        await scanner.run(scan);
        const set = `banned-gateway-scan-${family.slice(1)}`;
        const banned = family === 'v6' ? networkOf(scanner.addresses.v6) : scanner.addresses.v4;
        await host.waitFor(`nft list set inet landfall ${set} | grep -F ${banned}`, 180);
        expect(await scanner.ports(address, [443])).not.toEqual({ 443: 'open' });
        expect(await scanner.ports(address, [22])).toEqual({ 22: 'open' });
      },
    );
  });

  it('drops all packets of the banned client, also those to containers', async () => {
    const seen = await attacker.ports(premises().host.addresses.v4, [22, 80, 443]);
    expect(Object.values(seen)).not.toContain('open');
  });

  it('still accepts the administrator', async () => {
    expect(await premises().asAdministrator('true')).toMatchObject({ exitCode: 0 });
  });

  it('unbans on request', async () => {
    await premises().host.output('fail2ban-client unban --all');
    const seen = await attacker.ports(premises().host.addresses.v4, [443]);
    expect(seen).toEqual({ 443: 'open' });
  });

  async function isBanned({ addresses }: Outsider): Promise<boolean> {
    const status = await premises().host.output('fail2ban-client status sshd');
    return status.includes(addresses.v4);
  }
}

/** Returns the entry of a banned /64 in the firewall's set: its first address. */
function networkOf(address: string): string {
  return `${address.replace(/::.*$/, '')}::`;
}
