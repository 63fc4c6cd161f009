import type { HostComponent } from '#contract/component-names.ts';
import { endpointOf, whyNotPublic } from '../endpoint.ts';
import type { SmokeTest } from '../smoke-test.ts';
import { upgradeStatus } from '../web-socket.ts';

/** Next.js before 15.5.16 follows an upgrade to any host (CVE-2026-44578). */
export function noUpgrade(name: HostComponent): SmokeTest {
  return {
    name: `${name}-no-upgrade`,
    title: `the gateway blocks WebSockets to the front-end ${name}`,
    chinese: `网关拒绝到前端 ${name} 的 WebSocket`,
    lookAt: gatewayFault(name),
    notFor: (target) => whyNotPublic(target, name),
    run: async (target) => {
      const status = await upgradeStatus(endpointOf(target, name));
      if (status === 101) throw new Error('the gateway forwarded the upgrade');
    },
  };
}

/** Returns the hint for a request that the gateway should have blocked. */
export function gatewayFault(name: string): string {
  return `sudo docker logs --tail 50 landfall-gateway; until this is fixed, stop the front-end: sudo docker stop landfall-${name}`;
}
