import { hasRelayBudgets } from '#contract/site/relay/relay-settings.ts';
import type { Site } from '#contract/site/site.ts';
import {
  type Condition,
  failed,
  idOf,
  type Known,
  noneKnown,
} from '../../server/conditions/condition.ts';
import type { Host } from '../../server/host/host.ts';
import { type AccountUsage, type LimitState, readUsage, usageProblems } from './usage-report.ts';

const command = 'sudo landfall relay usage';

/** A key that is used from more networks a day may be stolen. */
const maxNetworks = 20;

/** Shares of a budget that are reported. */
const shares = [1, 0.8] as const;

/**
 * Returns what the administrator must hear about relay keys: a key that has used 80 % or all of a
 * budget, a key that is used from many networks, and usage that cannot be counted. People of the chat UI see their own refusals.
 */
export async function usageConditions(
  host: Host,
  site: Pick<Site, 'relay'>,
  known = noneKnown,
  owner?: number,
): Promise<Condition[]> {
  if (!hasRelayBudgets(site)) return [];
  const usage = await readUsage(host, site, { days: 1, now: Date.now(), owner });
  if (typeof usage === 'string') {
    const thing = { en: 'counting of relay keys', zh: '中继密钥的用量统计' };
    const rest = { topic: 'relay usage', severity: 'attention' } as const;
    return [failed(thing, usageProblems[usage], { ...rest, command: 'sudo landfall doctor' })];
  }
  return usage
    .filter(({ person }) => person === undefined)
    .flatMap((account) => [
      ...account.limits.flatMap((limit) => reachedShares(account, limit, known)),
      ...manyNetworks(account),
    ]);
}

/** A share that a higher one follows is kept once announced, and not announced later. */
function reachedShares(
  { key }: AccountUsage,
  { limit, budget, used, reset }: LimitState,
  known: Known,
): Condition[] {
  const reached = shares.filter((share) => used >= share * budget);
  const at = reset.toISOString().slice(0, 10);
  return reached
    .map((share): Condition => {
      const percent = share * 100;
      return {
        ...{
          topic: 'relay',
          subject: `${key} ${limit} ${percent}`,
          severity: 'attention',
          command,
        },
        what: {
          en: `the relay key ${key} has used ${percent} % of ${limit} (${budget}); it resets on ${at} at 00:00 UTC`,
          zh: `中继密钥 ${key} 已用掉 ${limit}（${budget}）的 ${percent} %；${at} 00:00（UTC）重置`,
        },
      };
    })
    .filter((each, index) => index === 0 || known.has(idOf(each)));
}

function manyNetworks({ key, networks }: AccountUsage): Condition[] {
  if (networks <= maxNetworks) return [];
  const what = {
    en: `the relay key ${key} was used from more than ${maxNetworks} networks today (UTC); it may be stolen`,
    zh: `中继密钥 ${key} 今天（UTC）的来源网段超过 ${maxNetworks} 个，可能已泄露`,
  };
  return [{ topic: 'relay', subject: `${key} networks`, severity: 'attention', what, command }];
}
