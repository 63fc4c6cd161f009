import { setTimeout as sleep } from 'node:timers/promises';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { bannedSet, banningJails, firewallTable } from '../host/firewall-table.ts';
import type { Host } from '../host/host.ts';

/** Time limit for fail2ban to respond after its start. */
const startTimeoutMs = 30_000;
const pauseMs = 250;

/**
 * Verifies that fail2ban responds, that each of our jails runs with our action, and that the sets for
 * bans exist.
 * @throws LandfallError STAGE_FAILED with all problems
 */
export async function proveBans(host: Host): Promise<void> {
  const answers = await waitForAnswer(host);
  const problems = answers
    ? (await Promise.all(banningJails.map((jail) => judgeJail(host, jail)))).flat()
    : [{ message: 'fail2ban does not respond' }];
  if (problems.length === 0) return;
  throw new LandfallError('STAGE_FAILED', 'fail2ban is not protecting SSH and the gateway', {
    hint: 'Check the logs: sudo journalctl -u fail2ban; sudo tail -n 50 /var/log/fail2ban.log',
    problems,
  });
}

/** Waits for a jail: fail2ban responds to pings before it has loaded its settings, all at once. */
async function waitForAnswer(host: Host): Promise<boolean> {
  const end = performance.now() + startTimeoutMs;
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
    ...(acts ? [] : [{ message: `the jail ${jail} is not running with Landfall's action` }]),
    ...sets
      .filter(({ there }) => !there)
      .map(({ set }) => ({ message: `the firewall has no set ${set}` })),
  ];
}
