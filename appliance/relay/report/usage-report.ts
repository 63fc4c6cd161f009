import { components } from '#contract/components.ts';
import { relayUsageFolder } from '#contract/server-paths.ts';
import { clientOf } from '#contract/site/relay/relay-settings.ts';
import type { Site } from '#contract/site/site.ts';
import type { Text } from '#contract/text/language.ts';
import type { Host } from '../../server/host/host.ts';
import {
  type Budget,
  type BudgetLimit,
  budgetLimitNames,
  budgetLimits,
  hasBudget,
} from '../budget/budget.ts';
import type { Ledger } from '../budget/ledger.ts';
import type { UsageProblem } from '../budget/usage-event.ts';
import { daysBefore, endOf } from '../budget/window.ts';
import { readStoredUsage } from '../node/usage/stored-usage.ts';

/** Why the usage of relay keys cannot be used. */
export const usageProblems: Readonly<Record<UsageProblem, Text>> = {
  missing: { en: 'its folder does not exist', zh: '目录不存在' },
  foreign: { en: 'its files belong to another user', zh: '文件属于其他用户' },
  future: { en: 'a later release has written it', zh: '由更新的版本写入' },
  damaged: { en: 'its files are damaged', zh: '文件已损坏' },
  unwritable: { en: 'its folder cannot be written', zh: '目录无法写入' },
};

/** The state of one limit in its current window. */
export interface LimitState {
  readonly limit: BudgetLimit;
  readonly budget: number;
  readonly used: number;
  readonly left: number;
  /** When the window ends. */
  readonly reset: Date;
}

/** What a relay key, or a person behind the key of the chat UI, has used. */
export interface AccountUsage {
  readonly key: string;
  /** Keyed hash of the address of a person. */
  readonly person: string | undefined;
  readonly requests: number;
  readonly refused: number;
  readonly tokens: number;
  /** Tokens that no provider has reported. */
  readonly estimated: number;
  /** IPv4 /24 and IPv6 /48 networks from which the key was used today. */
  readonly networks: number;
  readonly limits: readonly LimitState[];
}

interface UsageOptions {
  /** Days, today included. */
  readonly days: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** User that owns the folder. Default: that of the relay. */
  readonly owner?: number | undefined;
}

/**
 * Reads what the keys of a site with a budget have used, in the order of the site. Keys that the site no
 * longer has come last. Must be run as root.
 */
export async function readUsage(
  host: Host,
  site: Pick<Site, 'relay'>,
  { days, now, owner = components.relay.user }: UsageOptions,
): Promise<readonly AccountUsage[] | UsageProblem> {
  const stored = await readStoredUsage(host.path(relayUsageFolder), owner);
  if (typeof stored === 'string') return stored;
  const { ledger } = stored;
  const budgets = budgetsOf(site);
  const names = [...new Set([...budgets.keys(), ...ledger.names.toSorted()])];
  const from = daysBefore(ledger.today(now), days - 1);
  return names.map((name) => {
    const [key = '', person] = name.split('/');
    const budget = person === undefined ? budgets.get(name) : personBudget(site);
    const total = ledger.total(name, from);
    const networks = ledger.networks.count(name, ledger.today(now));
    return { key, person, ...total, networks, limits: limitsOf(ledger, name, budget ?? {}, now) };
  });
}

/** Returns the budgets of the keys of a site, by client. */
function budgetsOf({ relay }: Pick<Site, 'relay'>): ReadonlyMap<string, Budget> {
  return new Map(
    relay.keys.flatMap((key) =>
      typeof key !== 'string' && hasBudget(key) ? [[clientOf(key), key] as const] : [],
    ),
  );
}

function personBudget({ relay: { ui } }: Pick<Site, 'relay'>): Budget | undefined {
  return ui && { tokens_per_day: ui.tokens_per_day_per_user };
}

function limitsOf(ledger: Ledger, account: string, budget: Budget, now: number): LimitState[] {
  return budgetLimitNames.flatMap((limit) => {
    const max = budget[limit];
    if (max === undefined) return [];
    const used = ledger.used(account, limit, now);
    const reset = new Date(endOf(budgetLimits[limit].window, ledger.today(now)));
    return [{ limit, budget: max, used, left: Math.max(0, max - used), reset }];
  });
}
