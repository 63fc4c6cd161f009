import { LandfallError } from '#contract/errors.ts';
import type { Host } from '../../host/host.ts';
import { captureLink, clientRules, clientTable, ruleAfterClient, ruleByMark } from './names.ts';

/**
 * Rejects a server where another program uses the numbers of the capture: turning it off removes them.
 * Call it only while nothing is captured.
 * @throws LandfallError SERVER_UNFIT
 */
export async function refuseConflicts(host: Host): Promise<void> {
  const [v4, v6, link] = [
    await host.run('ip', ['-4', 'rule', 'show'], { accept: [2] }),
    await host.run('ip', ['-6', 'rule', 'show'], { accept: [2] }),
    await host.run('ip', ['link', 'show', captureLink], { accept: [1] }),
  ];
  const rules = `${v4.stdout}\n${v6.stdout}`.split('\n').filter(isOurs);
  const found = [
    ...rules.map((line) => `ip rule ${line.trim()}`),
    ...(link.code === 0 ? [`the interface ${captureLink}`] : []),
  ];
  if (found.length === 0) return;
  throw new LandfallError('SERVER_UNFIT', 'another program of this server redirects its routes', {
    hint: 'Stop the other proxy client or VPN, then run `sudo landfall route on`.',
    problems: [...new Set(found)].map((message) => ({ message })),
  });
}

function isOurs(line: string): boolean {
  const pref = Number(line.split(':')[0]);
  const isPref = pref >= ruleByMark && pref <= clientRules + 10;
  return isPref || pref === ruleAfterClient || line.includes(`lookup ${clientTable}`);
}
