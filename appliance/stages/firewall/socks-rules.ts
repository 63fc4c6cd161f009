import { isOnLoopback } from '#contract/site/network/socks.ts';
import type { Site } from '#contract/site/site.ts';
import { familyOf } from './sources.ts';

/**
 * Renders the rules of the SOCKS5 server: only its clients reach its port, at its address. The opening
 * of the port has no effect here; UFW has it too.
 */
export function socksClients(socks: Site['socks']): string[] {
  if (!socks || isOnLoopback(socks)) return [];
  const { listen, port, allow } = socks;
  const family = familyOf(listen);
  return [
    ...[...new Set(allow)]
      .filter((range) => familyOf(range) === family)
      .map(
        (range) => `${family} saddr ${range} ${family} daddr ${listen} tcp dport ${port} accept`,
      ),
    `tcp dport ${port} drop`,
  ];
}
