import type { HostComponent } from '#contract/component-names.ts';
import { logCommand } from '#contract/log-command.ts';
import { endpointOf, whyNotPublic } from '../endpoint.ts';
import type { SmokeTarget } from '../target.ts';
import { upgradeStatus } from '../web-socket.ts';

/** Returns the fields of a test for a request that the gateway should block. */
export function atGateway(name: HostComponent) {
  return {
    lookAt: logCommand('gateway'),
    isUnsafe: true,
    notFor: (target: SmokeTarget) => whyNotPublic(target, name),
  } as const;
}

/** Next.js before 15.5.16 follows an upgrade to any host (CVE-2026-44578). */
export function noUpgrade(name: HostComponent) {
  return {
    name: `${name}-no-upgrade`,
    title: `the gateway blocks WebSockets to the front-end ${name}`,
    chinese: `网关拒绝到前端 ${name} 的 WebSocket`,
    ...atGateway(name),
    run: async (target: SmokeTarget) => {
      const status = await upgradeStatus(endpointOf(target, name));
      if (status === 101) throw new Error('the gateway forwarded the upgrade');
    },
  };
}
