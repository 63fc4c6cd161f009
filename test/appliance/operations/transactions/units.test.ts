import { describe, expect, it } from 'vitest';
import { closedPorts } from '../../../../appliance/operations/transactions/units.ts';
import { smallSite } from '../../context.ts';

describe('what an update closes', () => {
  const rulesOf = (site: Parameters<typeof closedPorts>[0]) => {
    const [table] = closedPorts(site).files ?? [];
    return `${table?.text}`.split('\n').filter((line) => line.includes('dport'));
  };

  it('closes the tunnels to the chat UI and to Ollama', () => {
    expect(rulesOf(smallSite)).toEqual([
      '    oifname "lo" tcp dport { 3000, 11434 } meta skuid != 0 reject with tcp reset',
    ]);
  });

  it('closes the port of an engine node for the first server too', () => {
    expect(rulesOf({ ...smallSite, role: 'engine-node' })).toEqual([
      '    oifname "lo" tcp dport { 11443, 11434 } meta skuid != 0 reject with tcp reset',
      '    iifname != "lo" fib daddr type local tcp dport 11443 reject with tcp reset',
    ]);
  });
});
