import { LandfallError } from '#contract/errors.ts';
import { type AlertKind, alertName } from '#contract/site/alerts/targets.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { translated } from '#contract/text/translated.ts';
import { adviceOf, type Condition } from '../conditions/condition.ts';
import type { Host } from '../host/host.ts';
import { serverName } from '../host/server.ts';
import { type Readers, testMessage } from './message.ts';
import { forgetFailure, readQueue } from './queue.ts';
import { missingSecret } from './secrets.ts';
import { sendMessage, type Via } from './send.ts';

/** The state of an alert target, without secrets. */
export interface TargetState {
  readonly target: string;
  readonly kind: AlertKind;
  /** The required secret that is not set. */
  readonly waitsFor?: string | undefined;
  /** Alerts that did not arrive yet. */
  readonly unsent: number;
  /** The last failure, until a message arrives. */
  readonly failure?:
    | { readonly at: string; readonly code: string; readonly message: string }
    | undefined;
}

/** Returns the state of every target of the site. Must be run as root. */
export async function targetStates(
  host: Host,
  { alerts }: Pick<Site, 'alerts'>,
): Promise<TargetState[]> {
  const queue = await readQueue(host);
  return await Promise.all(
    alerts.map(async (target) => {
      const name = alertName(target);
      const { unsent = [], failure } = queue.get(name) ?? {};
      const waitsFor = await missingSecret(host, target);
      return { target: name, kind: target.kind, waitsFor, unsent: unsent.length, failure };
    }),
  );
}

/** Formats all targets as a table. */
export function describeTargets(states: readonly TargetState[]): string {
  if (states.length === 0) return inLanguage(noTargets);
  return formatTable(
    states.map((state) => {
      const [condition] = targetConditions([state]);
      return [state.target, state.kind, condition ? adviceOf(condition) : inLanguage(ready)];
    }),
  );
}

const noTargets = {
  en: 'This site has no alert targets.',
  zh: '这个站点没有告警接收方。',
};
const ready = { en: 'ready', zh: '就绪' };

/** Returns a condition for each target that waits for its secret, or that alerts do not reach. */
export function targetConditions(states: readonly TargetState[]): Condition[] {
  return states.flatMap(({ target, waitsFor, unsent, failure }): Condition[] => {
    const on = { topic: 'alert', subject: target, severity: 'attention' } as const;
    if (waitsFor !== undefined) {
      const what = {
        en: `the alert target ${target} has no secret yet`,
        zh: `告警接收方 ${target} 还没有密钥`,
      };
      return [{ ...on, what, command: `sudo landfall secret set ${waitsFor}` }];
    }
    if (failure === undefined) return [];
    const time = formatTime(new Date(failure.at));
    const what = {
      en: `${unsent} unsent to ${target} since ${time}: ${failure.message}`,
      zh: `自 ${time} 起有 ${unsent} 条没有送达 ${target}：${translated(failure.message)}`,
    };
    return [{ ...on, what, command: 'sudo landfall alert test' }];
  });
}

/** The result of a test message. */
interface TargetResult {
  readonly target: string;
  readonly kind: AlertKind;
  readonly sent: boolean;
  readonly via?: Via;
  readonly error?: Pick<LandfallError, 'code' | 'message' | 'hint' | 'retriable'>;
}

/**
 * Sends a test message to every target of the site, one after the other.
 * @throws LandfallError ALERT_FAILED if the site has no targets
 */
export async function testTargets(
  host: Host,
  site: Pick<Site, 'alerts' | 'route'> & Readers,
): Promise<TargetResult[]> {
  if (site.alerts.length === 0) {
    throw new LandfallError(
      'ALERT_FAILED',
      inLanguage({ en: 'this site has no alert targets', zh: '这个站点没有告警接收方' }),
      {
        hint: {
          en: 'Add one, such as: sudo landfall site add alerts "{ kind: ntfy }"',
          zh: '添加一个，例如：sudo landfall site add alerts "{ kind: ntfy }"',
        },
        retriable: false,
      },
    );
  }
  const message = testMessage(await serverName(host), site);
  const results: TargetResult[] = [];
  for (const target of site.alerts) {
    const about = { target: alertName(target), kind: target.kind };
    try {
      const via = await sendMessage(host, site, target, message);
      await forgetFailure(host, target);
      results.push({ ...about, sent: true, via });
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
      const { code, message: text, hint, retriable } = error;
      results.push({ ...about, sent: false, error: { code, message: text, hint, retriable } });
    }
  }
  return results;
}

/** Formats the results as a table, with the hints of failures below it. */
export function describeResults(results: readonly TargetResult[]): string {
  const rows = results.map(({ target, kind, sent, via, error }) => [
    target,
    kind,
    inLanguage(sent ? { en: 'sent', zh: '已送达' } : { en: 'failed', zh: '失败' }),
    sent
      ? via === 'direct'
        ? inLanguage(direct)
        : ''
      : `${error?.code}: ${translated(error?.message ?? '')}`,
  ]);
  const hints = results.flatMap(({ target, error }) =>
    error?.hint === undefined
      ? []
      : [
          inLanguage({
            en: `hint for ${target}: ${error.hint}`,
            zh: `${target} 的建议：${error.hint}`,
          }),
        ],
  );
  return [formatTable(rows), ...hints].join('\n');
}

const direct = { en: 'without the proxy', zh: '未经代理' };
