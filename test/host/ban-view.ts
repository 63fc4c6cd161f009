import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Outsider } from './outsider.ts';
import type { Premises } from './premises.ts';

/** What the server allows within ten minutes, and what more may slip in before it has looked. */
const allowed = 5;
const slack = 3;
/**
 * Milliseconds between two tries. UFW turns away the sixth connection within 30 seconds and newer
 * sshd drops who failed three times in quick succession: neither lets fail2ban count a failure.
 */
const patience = 6500;

/** Tests that somebody who guesses is kept out, and that others are not. */
export function itBansWhoGuesses(premises: () => Premises): void {
  let guesser: Outsider;

  it('bans who guesses passwords, after five tries', async () => {
    const { cloud, host } = premises();
    guesser = await cloud.outsider();
    let tries = 0;
    while (tries < allowed + slack && !(await isBanned(guesser))) {
      const login = { user: 'root', host: host.addresses.v4, with: { password: 'guess' } };
      expect(await guesser.ssh(login)).toMatchObject({ exitCode: 255 });
      tries += 1;
      await sleep(patience);
    }
    expect(await isBanned(guesser)).toBe(true);
    expect(tries).toBeGreaterThanOrEqual(allowed);
  });

  it('answers nothing of the banned any more, containers included', async () => {
    const seen = await guesser.ports(premises().host.addresses.v4, [22, 80, 443]);
    expect(Object.values(seen)).not.toContain('open');
  });

  it('still lets the owner in', async () => {
    expect(await premises().asOwner('true')).toMatchObject({ exitCode: 0 });
  });

  it('forgives when it is told to', async () => {
    await premises().host.output('fail2ban-client unban --all');
    const seen = await guesser.ports(premises().host.addresses.v4, [443]);
    expect(seen).toEqual({ 443: 'open' });
  });

  async function isBanned({ addresses }: Outsider): Promise<boolean> {
    const status = await premises().host.output('fail2ban-client status sshd');
    return status.includes(addresses.v4);
  }
}
