import { describe, expect, it } from 'vitest';
import { parseSwarmInUfw, swarmProblems } from '../../../../appliance/stages/firewall/swarm.ts';
import { renderTable } from '../../../../appliance/stages/firewall/table.ts';
import { factsOf } from './facts-of.ts';

const facts = factsOf([]);

/** Rows of ufw 0.36.2. */
const rows = `Status: active

To                         Action      From
--                         ------      ----
22/tcp                     LIMIT IN    Anywhere                  
Anywhere on wg-landfall    ALLOW IN    Anywhere                  
Anywhere (v6) on wg-landfall ALLOW IN    Anywhere (v6)             

Anywhere on wg-landfall    ALLOW FWD   Anywhere on wg-landfall   
`;

describe('the firewall of a server in a Swarm', () => {
  it('opens the ports of Swarm on the interface of WireGuard only', () => {
    const first = renderTable({ ...facts, swarm: 'first' });
    expect(first).toContain('iifname "wg-landfall" goto from-swarm');
    expect(first).toContain('tcp dport { 2377, 7946 } accept');
    expect(first).toContain('udp dport { 4789, 7946 } accept');
    const outside = first.slice(first.lastIndexOf('chain from-outside'));
    expect(outside.slice(0, outside.indexOf('}\n'))).not.toMatch(/2377|7946|4789/);
  });

  it('does not open the port of the manager on a node', () => {
    expect(renderTable({ ...facts, swarm: 'node' })).not.toContain('2377');
  });

  it('leaves no trace on another server', () => {
    expect(renderTable(facts)).not.toMatch(/swarm|wg-landfall/);
    expect(renderTable({ ...facts, swarm: undefined })).toBe(renderTable(facts));
  });

  it('reads the rules of UFW', () => {
    expect(parseSwarmInUfw(rows)).toEqual({ opensSwarm: true, forwardsSwarm: true });
    expect(parseSwarmInUfw('Status: active\n')).toEqual({
      opensSwarm: false,
      forwardsSwarm: false,
    });
  });

  it('reports what UFW lacks, and what it has too much', () => {
    const [all, none] = [parseSwarmInUfw(rows), parseSwarmInUfw('')];
    expect(swarmProblems(all, 'first')).toEqual([]);
    expect(swarmProblems(none, undefined)).toEqual([]);
    expect(swarmProblems(none, 'first')).toHaveLength(2);
    expect(swarmProblems(all, 'node')).toHaveLength(1);
    expect(swarmProblems(all, undefined)).toHaveLength(2);
  });
});
