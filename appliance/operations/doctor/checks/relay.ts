import { relayUsageFolder } from '#contract/server-paths.ts';
import { hasRelayBudgets } from '#contract/site/relay/relay-settings.ts';
import { describeUsageProblem } from '../../../relay/report/usage-problem.ts';
import { readUsage } from '../../../relay/report/usage-report.ts';
import { siteCheck } from '../finding.ts';

/** Reports that the usage of relay keys cannot be read: the relay refuses keys with a budget. */
export const relayUsageCheck = siteCheck(
  { name: 'relay-usage', root: true },
  async ({ host, site }) => {
    if (!hasRelayBudgets(site)) return [];
    const usage = await readUsage(host, site, { days: 1, now: Date.now() });
    if (typeof usage !== 'string') return [];
    const text = {
      en: `the relay cannot count the usage of its keys: ${describeUsageProblem(usage, 'en')}`,
      zh: `中继无法统计密钥的用量：${describeUsageProblem(usage, 'zh')}`,
    };
    return [{ code: 'RELAY_USAGE_UNUSABLE', subject: `/${relayUsageFolder}`, text }];
  },
);
