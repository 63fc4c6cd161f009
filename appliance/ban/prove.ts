import { setTimeout as sleep } from 'node:timers/promises';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { bannedSet, banningJails, firewallTable } from '../host/firewall-table.ts';
import type { Host } from '../host/host.ts';

/** Until fail2ban answers after its start. */
const patienceMs = 30_000;
const pauseMs = 250;

/**
 * Proves that fail2ban answers, that each of our jails runs and acts by our action, and that the
 * sets that it bans in are there.
 * @throws LandfallError STAGE_FAILED with everything that is missing
 */
export async function proveBans(host: Host): Promise<void> {
  const answers = await waitForAnswer(host);
  const problems = answers
    ? (await Promise.all(banningJails.map((jail) => judgeJail(host, jail)))).flat()
    : [{ message: 'fail2ban does not answer' }];
  if (problems.length === 0) return;
  throw new LandfallError('STAGE_FAILED', 'nobody would be banned for guessing keys', {
    hint: 'Its log says why: sudo journalctl -u fail2ban; sudo tail -n 50 /var/log/fail2ban.log',
    problems,
  });
}

/** It answers a ping before it has its settings. These come in one go: with one jail all are there. */
async function waitForAnswer(host: Host): Promise<boolean> {
  const end = performance.now() + patienceMs;
  while (!(await host.succeeds('fail2ban-client', ['status', banningJails[0]]))) {
    if (performance.now() > end) return await host.succeeds('fail2ban-client', ['ping']);
    await host.outside.measure(() => sleep(pauseMs));
  }
  return true;
}

async function judgeJail(host: Host, jail: string): Promise<Problem[]> {
  const { stdout, code } = await host.run('fail2ban-client', ['get', jail, 'actions'], {
    accept: [255],
  });
  const acts = code === 0 && /\blandfall\b/.test(stdout);
  const sets = await Promise.all(
    [bannedSet(jail, 4), bannedSet(jail, 6)].map(async (set) => ({
      set,
      there: await host.succeeds('nft', ['list', 'set', ...firewallTable, set]),
    })),
  );
  return [
    ...(acts ? [] : [{ message: `the jail ${jail} does not run, or acts in another way` }]),
    ...sets
      .filter(({ there }) => !there)
      .map(({ set }) => ({ message: `the firewall has no set ${set}` })),
  ];
}
