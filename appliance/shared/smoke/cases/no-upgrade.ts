import { type HostComponent, logCommand } from '#contract/component-names.ts';
import { inLanguage } from '#contract/text/language.ts';
import { callEndpoint, type Endpoint, endpointOf, whyNotPublic } from '../endpoint.ts';
import type { Call } from '../exchange.ts';
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

/** @throws Error with every path that the gateway does not block */
export async function expectBlocked(
  endpoint: Endpoint,
  paths: readonly string[],
  call: Call,
): Promise<void> {
  const open: string[] = [];
  for (const path of paths) {
    const { status } = await callEndpoint(endpoint, path, call);
    if (status !== 403) open.push(`${path} (status ${status})`);
  }
  if (open.length > 0)
    throw new Error(
      inLanguage({ en: `not blocked: ${open.join(', ')}`, zh: `没有屏蔽：${open.join(', ')}` }),
    );
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
      if (status === 101)
        throw new Error(
          inLanguage({ en: 'the gateway forwarded the upgrade', zh: '网关转发了升级请求' }),
        );
    },
  };
}
