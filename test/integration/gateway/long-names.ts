import { describe, expect, it } from 'vitest';
import { everything } from '../../appliance/stack/stack-input.ts';
import type { GatewayRig } from './gateway-rig.ts';

/** As long as DNS and the site allow. */
const longest = `${`${'a'.repeat(60)}.`.repeat(4)}example.co`.slice(-253).replace(/^\./, 'b');

/** nginx's own limit is 46 characters, beyond which it does not start. */
export function longNames(rig: () => GatewayRig): void {
  describe('a host name of 253 characters', () => {
    it('does not keep the gateway from starting', async () => {
      expect(longest).toHaveLength(253);
      await rig().serve({ ...everything, hosts: { ...everything.hosts, docs: longest } });
      await rig().serve(everything);
    });
  });
}
