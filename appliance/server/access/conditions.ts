import type { Site } from '#contract/site/site.ts';
import { inBoth, inLanguage } from '#contract/text/language.ts';
import { type Condition, failed, labelled } from '../conditions/condition.ts';
import type { Host } from '../host/host.ts';
import { allowedDevices } from './devices.ts';
import { isTunnelUp } from './tunnel.ts';

/** The tunnel of a site. */
export interface AccessState {
  readonly isUp: boolean;
  /** How many devices may connect. */
  readonly devices: number;
}

/** Returns the state of the tunnel of a site; undefined without one. */
export async function accessState(
  host: Host,
  { access }: Pick<Site, 'access'>,
): Promise<AccessState | undefined> {
  if (!access) return undefined;
  const [isUp, devices] = await Promise.all([isTunnelUp(host), allowedDevices(host, access)]);
  return { isUp, devices: devices.length };
}

/** Returns the line of the status for a tunnel without problems. */
export function describeAccess({ devices }: AccessState): string {
  const text = {
    en: `WireGuard, ${devices} ${devices === 1 ? 'device' : 'devices'}`,
    zh: `WireGuard，${devices} 台设备`,
  };
  return labelled('access', inLanguage(text));
}

/** Returns why devices cannot reach the chat through the tunnel of a site. */
export async function accessConditions(
  host: Host,
  site: Pick<Site, 'access'>,
): Promise<Condition[]> {
  const state = await accessState(host, site);
  return state ? conditionsOf(state) : [];
}

/** Returns the conditions of a tunnel. */
export function conditionsOf({ isUp, devices }: AccessState): Condition[] {
  return [...(isUp ? [] : [tunnelDown]), ...(devices > 0 ? [] : [noDevice])];
}

const tunnelDown: Condition = failed(
  inBoth('WireGuard'),
  { en: 'no device can reach the chat', zh: '所有设备都无法访问聊天' },
  { topic: 'access', severity: 'broken', command: 'sudo landfall doctor' },
);

const noDevice: Condition = {
  ...{ topic: 'access', subject: 'devices', severity: 'note' },
  what: { en: 'no device can reach the chat yet', zh: '还没有设备可以访问聊天' },
  command: 'sudo landfall access add phone',
};
