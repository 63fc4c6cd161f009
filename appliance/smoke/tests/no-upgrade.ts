import type { HostComponent } from '#contract/component-names.ts';
import { placeOf, whyNotPublic } from '../place.ts';
import type { SmokeTest } from '../smoke-test.ts';
import { upgradeStatus } from '../web-socket.ts';
import { gatewayFault } from './gateway-fault.ts';

/** Next.js before 15.5.16 acts on an upgrade that leads anywhere (CVE-2026-44578). */
export function noUpgrade(part: HostComponent): SmokeTest {
  return {
    name: `${part}-no-upgrade`,
    title: `no WebSocket gets through to the front-end ${part}`,
    lookAt: gatewayFault(part),
    notFor: (target) => whyNotPublic(target, part),
    run: async (target) => {
      const status = await upgradeStatus(placeOf(target, part));
      if (status === 101) throw new Error('the upgrade was passed on');
    },
  };
}
