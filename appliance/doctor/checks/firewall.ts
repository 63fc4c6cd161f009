import { firewallDifferences } from '../../firewall/differences.ts';
import { firewallFacts } from '../../firewall/facts.ts';
import type { Check } from '../finding.ts';

/** Reports a firewall that differs from its settings, and ports that only UFW opens. */
export const firewallCheck: Check = {
  name: 'firewall',
  root: true,
  needs: 'site',
  run: async ({ host, site }) => {
    const facts = await firewallFacts(host, site);
    const { problems, closedHere } = await firewallDifferences(host, facts);
    return [
      ...problems.map(({ message }) => ({
        code: 'FIREWALL_DIFFERS' as const,
        subject: 'firewall',
        text: message,
      })),
      ...closedHere.map(({ message, hint }) => ({
        code: 'PORT_CLOSED' as const,
        subject: message.split(' ')[0] ?? 'port',
        text: message,
        ...(hint ? { details: [hint] } : {}),
      })),
    ];
  },
};
