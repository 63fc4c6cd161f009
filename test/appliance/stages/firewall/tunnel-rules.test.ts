import { describe, expect, it } from 'vitest';
import { siteSchema } from '#contract/site/site.ts';
import { openingsOf } from '../../../../appliance/stages/firewall/facts.ts';
import { renderTable } from '../../../../appliance/stages/firewall/table.ts';
import { factsOf } from './facts-of.ts';

const tunnel = '10.86.0.0/24';

/** Returns the rules for traffic from outside. */
function outsideOf(table: string): string {
  const start = table.slice(table.lastIndexOf('chain from-outside'));
  return start.slice(0, start.indexOf('}\n\tchain'));
}

describe('the firewall of a server with a tunnel', () => {
  it('opens the ports of the gateway to the tunnel only, and the port of WireGuard to every client', () => {
    const outside = outsideOf(renderTable(factsOf(['51820/udp'], { tunnel })));
    const opening = outside.split('\n').filter((line) => /dport .*(?:80|443|51820)/.test(line));
    expect(opening.map((line) => line.trim())).toEqual([
      'iifname "wg-access" tcp dport { 80, 443 } ct state new jump gateway-clients',
      'iifname "wg-access" ip daddr 10.86.0.0/24 tcp dport { 80, 443 } accept',
      'udp dport 51820 accept',
    ]);
    expect(outside).toContain('iifname "wg-access" ip saddr != 10.86.0.0/24 drop');
  });

  it('opens the ports that the administrator opens, too', () => {
    const min = {
      release: ['https://example.org/r/'],
      admin: { ssh_keys: ['ssh-ed25519 AAAA me@laptop'] },
    };
    const site = siteSchema.parse({ ...min, access: { mode: 'wireguard' } });
    const ports = openingsOf(site, { allow: ['8443/tcp'], deny: [] }).map(({ first }) => first);
    expect(ports).toEqual([8443, 51820]);
  });

  it('leaves no trace on a server without a tunnel', () => {
    expect(renderTable(factsOf())).not.toContain('wg-access');
    expect(renderTable(factsOf(undefined, { tunnel: undefined }))).toBe(renderTable(factsOf()));
  });
});
