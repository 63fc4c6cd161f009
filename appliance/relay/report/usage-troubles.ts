import { hasRelayBudgets } from '#contract/site/relay/relay-settings.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { Trouble } from '../../server/alerts/troubles.ts';
import type { Host } from '../../server/host/host.ts';
import { describeUsageProblem } from './usage-problem.ts';
import { type AccountUsage, type LimitState, readUsage } from './usage-report.ts';

const command = 'sudo landfall relay usage';

/** A key that is used from more networks a day may be stolen. */
const maxNetworks = 20;

/** Shares of a budget that are reported. */
const shares = [1, 0.8] as const;

/**
 * Returns what the administrator must hear about relay keys: a key that has used 80 % or all of a
 * budget, a key that is used from many networks, and usage that cannot be counted. People of the chat UI see their own refusals.
 * @param known IDs of the troubles that were announced
 */
export async function usageTroubles(
  host: Host,
  site: Pick<Site, 'relay' | 'language'>,
  known: ReadonlySet<string>,
  owner?: number,
): Promise<Trouble[]> {
  if (!hasRelayBudgets(site)) return [];
  const usage = await readUsage(host, site, { days: 1, now: Date.now(), owner });
  const { language } = site;
  if (typeof usage === 'string') {
    const subject = inLanguage(
      { en: 'counting of relay keys', zh: '中继密钥的用量统计' },
      language,
    );
    const detail = describeUsageProblem(usage, language);
    const doctor = 'sudo landfall doctor';
    return [{ id: 'relay usage', state: 'failed', subject, detail, command: doctor }];
  }
  return usage
    .filter(({ person }) => person === undefined)
    .flatMap((account) => [
      ...account.limits.flatMap((limit) => shareTroubles(account, limit)),
      ...networkTroubles(account),
    ])
    .filter(({ id, isMinor }) => !isMinor || known.has(id))
    .map(({ isMinor: _, ...trouble }) => ({
      ...trouble,
      subject: inLanguage(trouble.subject, language),
    }));
}

/** A share that a higher one follows is minor: it is kept once announced, and not announced later. */
function shareTroubles({ key }: AccountUsage, { limit, budget, used, reset }: LimitState) {
  const reached = shares.filter((share) => used >= share * budget);
  const at = reset.toISOString().slice(0, 10);
  return reached.map((share, index) => ({
    id: `relay ${key} ${limit} ${share * 100}`,
    state: 'notice' as const,
    command,
    isMinor: index > 0,
    subject: {
      en: `the relay key ${key} has used ${share * 100} % of ${limit} (${budget}); it resets on ${at} at 00:00 UTC`,
      zh: `中继密钥 ${key} 已用掉 ${limit}（${budget}）的 ${share * 100} %；${at} 00:00（UTC）重置`,
    },
  }));
}

function networkTroubles({ key, networks }: AccountUsage) {
  if (networks <= maxNetworks) return [];
  const subject = {
    en: `the relay key ${key} was used from more than ${maxNetworks} networks today (UTC); it may be stolen`,
    zh: `中继密钥 ${key} 今天（UTC）的来源网段超过 ${maxNetworks} 个，可能已泄露`,
  };
  return [
    { id: `relay ${key} networks`, state: 'notice' as const, command, isMinor: false, subject },
  ];
}
