import { type AlertKind, alertName } from '#contract/site/alerts/targets.ts';
import type { Site } from '#contract/site/site.ts';
import { currentLanguage, inLanguage, type Language } from '#contract/text/language.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import type { Host } from '../host/host.ts';
import { readQueue } from './queue.ts';
import { describeWaiting, missingSecret } from './secrets.ts';

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
      const { unsent = [], failure } = queue[name] ?? {};
      const waitsFor = await missingSecret(host, target);
      return { target: name, kind: target.kind, waitsFor, unsent: unsent.length, failure };
    }),
  );
}

/** Formats all targets as a table. */
export function describeTargets(states: readonly TargetState[]): string {
  if (states.length === 0) return inLanguage(noTargets);
  return formatTable(
    states.map((state) => [state.target, state.kind, troubleOf(state) ?? inLanguage(ready)]),
  );
}

const noTargets = {
  en: 'This site has no alert targets.',
  zh: '这个站点没有告警接收方。',
};
const ready = { en: 'ready', zh: '就绪' };

/** Describes the problems of targets, one line each, for `landfall status` and the report. */
export function alertProblems(
  states: readonly TargetState[],
  language: Language = currentLanguage(),
): { target: string; text: string }[] {
  return states.flatMap((state) => {
    const trouble = troubleOf(state, language);
    return trouble === undefined
      ? []
      : [
          {
            target: state.target,
            text: `${inLanguage({ en: 'alerts', zh: '告警' }, language)}: ${trouble}`,
          },
        ];
  });
}

function troubleOf(
  { target, waitsFor, unsent, failure }: TargetState,
  language: Language = currentLanguage(),
): string | undefined {
  if (waitsFor !== undefined) return describeWaiting({ target, secret: waitsFor }, language);
  if (failure === undefined) return undefined;
  const time = formatTime(new Date(failure.at));
  const text = {
    en: `${unsent} unsent to ${target} since ${time}: ${failure.message}; run: sudo landfall alert test`,
    zh: `自 ${time} 起有 ${unsent} 条没有送达 ${target}：${failure.message}；请运行：sudo landfall alert test`,
  };
  return inLanguage(text, language);
}
