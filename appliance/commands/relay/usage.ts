import { LandfallError } from '#contract/errors.ts';
import { relayUsageFolder } from '#contract/server-paths.ts';
import { hasRelayBudgets } from '#contract/site/relay/relay-settings.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { personHash, readPersonKey } from '../../relay/node/usage/open-usage.ts';
import { type AccountUsage, readUsage, usageProblems } from '../../relay/report/usage-report.ts';
import type { Facts } from '../../server/load-facts.ts';
import { withAccounts } from '../ui/locked-accounts.ts';
import { usageCsv, usageJson, usageTable } from './format-usage.ts';

export interface UsageFlags {
  readonly key?: string;
  /** Days. */
  readonly since: number;
  readonly json?: boolean;
  readonly csv?: boolean;
}

/**
 * Prints what relay keys and people have used.
 * @param owner user that owns the usage; default: that of the relay
 * @throws LandfallError USAGE for a key without usage; STATE_INVALID for usage that cannot be read
 */
export async function showUsage(
  facts: Pick<Facts, 'host' | 'site' | 'releaseFolder'>,
  { key, since, json = false, csv = false }: UsageFlags,
  owner?: number,
): Promise<void> {
  const { host, site } = facts;
  const usage = await readUsage(host, site, { days: since, now: Date.now(), owner });
  if (typeof usage === 'string') {
    // Without a budget there is nothing to count.
    if (usage !== 'missing' || hasRelayBudgets(site)) throw unreadable(usageProblems[usage]);
  }
  const all = typeof usage === 'string' ? [] : usage;
  const chosen = key === undefined ? all : all.filter((account) => account.key === key);
  if (key !== undefined && chosen.length === 0) {
    throw new LandfallError(
      'USAGE',
      inLanguage({
        en: `no usage of a relay key with the name ${JSON.stringify(key)}`,
        zh: `没有名为 ${JSON.stringify(key)} 的中继密钥的用量`,
      }),
      {
        hint: {
          en: 'Run `sudo landfall relay usage` for all keys. Keys without a budget are not counted.',
          zh: '运行 `sudo landfall relay usage` 查看所有密钥。没有预算的密钥不计用量。',
        },
      },
    );
  }
  const named = await withAddresses(facts, chosen);
  if (json) console.log(usageJson(named, since));
  else if (csv) console.log(usageCsv(named));
  else console.log(named.length === 0 ? inLanguage(noBudgets) : usageTable(named));
}

const noBudgets = {
  en: 'No relay key has a budget. relay.md of the documentation shows how to set one.',
  zh: '没有中继密钥设置了预算。设置方法见 Landfall 文档 relay.md。',
};

function unreadable(reason: Text): LandfallError {
  return new LandfallError(
    'STATE_INVALID',
    inLanguage({
      en: `cannot read /${relayUsageFolder}: ${reason.en}`,
      zh: `无法读取 /${relayUsageFolder}：${reason.zh}`,
    }),
    {
      hint: {
        en: 'Run `sudo landfall doctor RELAY_USAGE_UNUSABLE`.',
        zh: '运行 `sudo landfall doctor RELAY_USAGE_UNUSABLE`。',
      },
    },
  );
}

/** Replaces the hashes of people by their addresses, where the chat UI has an account. */
async function withAddresses(
  facts: Pick<Facts, 'host' | 'releaseFolder'>,
  usage: readonly AccountUsage[],
): Promise<readonly AccountUsage[]> {
  if (usage.every(({ person }) => person === undefined)) return usage;
  const key = await readPersonKey(facts.host.path(relayUsageFolder));
  if (!key) return usage;
  const emails = await withAccounts(facts, (all) => all.map(({ email }) => email)).catch(
    (error) => {
      // A server without a chat UI still shows the hashes.
      if (error instanceof LandfallError) return [];
      throw error;
    },
  );
  const addresses = new Map(emails.map((email) => [personHash(key, email), email]));
  return usage.map((each) => ({
    ...each,
    person: addresses.get(each.person ?? '') ?? each.person,
  }));
}
