import { type AlertKind, type AlertTarget, alertName } from './targets.ts';

/** What a secret of an alert target is. */
export type AlertSecretPart = 'url' | 'sign' | 'token' | 'password';

/** A secret of an alert target, which the administrator sets on the server. */
interface AlertSecret {
  /** Such as `alert-team-url`. */
  readonly name: string;
  readonly part: AlertSecretPart;
  /** Whether no message can be sent without it. */
  readonly required: boolean;
}

type Part = readonly [part: AlertSecretPart, required: boolean];
const url: Part = ['url', true];
const signed: readonly Part[] = [url, ['sign', false]];

const parts: Readonly<Record<AlertKind, readonly Part[]>> = {
  webhook: [url],
  slack: [url],
  discord: [url],
  feishu: signed,
  dingtalk: signed,
  wecom: [url],
  serverchan: [url],
  bark: [url],
  pushplus: [url],
  ntfy: [url, ['token', false]],
  telegram: [['token', true]],
  smtp: [['password', true]],
};

/** Returns the secrets of an alert target. A mail server without a user needs none. */
export function alertSecrets(target: AlertTarget): AlertSecret[] {
  if (target.kind === 'smtp' && target.user === undefined) return [];
  return parts[target.kind].map(([part, required]) => ({
    name: `alert-${alertName(target)}-${part}`,
    part,
    required,
  }));
}
