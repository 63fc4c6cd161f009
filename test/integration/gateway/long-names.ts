import { describe, expect, it } from 'vitest';
import { everything } from '../../appliance/stages/stack/stack-input.ts';
import type { GatewayRig } from './gateway-rig.ts';

/** The maximum of DNS and of the site's schema. */
const max = `${`${'a'.repeat(60)}.`.repeat(4)}example.co`.slice(-253).replace(/^\./, 'b');

/** nginx does not start with more than its default limit of 46 characters. */
export function longNames(rig: () => GatewayRig): void {
  describe('a host name of 253 characters', () => {
    it('does not prevent the gateway from starting', async () => {
      expect(max).toHaveLength(253);
      await rig().serve({ ...everything, hosts: { ...everything.hosts, docs: max } });
      await rig().serve(everything);
    });
  });
}
