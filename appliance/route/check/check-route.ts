import type { ErrorCode } from '#contract/errors.ts';
import type { Text } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import type { Warning } from '../../stage/reporter.ts';
import type { Context } from '../../stage/stage.ts';
import { probeArchives, probeDestinations, probeProviders } from '../probe-destinations.ts';

/** The result of a check of one destination. */
export interface Checked {
  /** The key of its state, and its name in English: `images of docker.io`, `provider openai`. */
  readonly subject: string;
  /** Its name for users; absent if that is the subject in every language. */
  readonly title?: Text | undefined;
  /** Why it cannot be reached; one line without secrets. */
  readonly failure?: string | undefined;
  readonly code?: ErrorCode | undefined;
  /** Kind and subject of its warning in the report. */
  readonly warning: Pick<Warning, 'kind' | 'subject'>;
}

/** The whole route, besides its destinations. */
export const wholeRoute = 'the route';

/**
 * Checks the route with the probes of the stage `route`: package archives, downloads, providers. If
 * none of them can be reached, the route itself has failed.
 */
export async function checkRoute(
  context: Pick<Context, 'host' | 'server' | 'site' | 'release'>,
): Promise<Checked[]> {
  const { host, site, release } = context;
  const [archives, downloads, providers] = await Promise.all([
    probeArchives(context),
    host.outside.measure(() => probeDestinations(site, release)),
    host.outside.measure(() => probeProviders(site)),
  ]);
  const found: Checked[] = [
    ...[...archives, ...downloads].map(({ subject, title, failure }) => ({
      subject,
      title,
      failure: failure?.reason,
      code: failure?.code,
      warning: { kind: 'route' as const, subject },
    })),
    ...providers.map(({ name, reason, code }) => ({
      subject: `provider ${name}`,
      title: { en: `provider ${name}`, zh: `模型服务商 ${name}` },
      failure: reason,
      code,
      warning: { kind: 'provider' as const, subject: name },
    })),
  ];
  const checked = distinct(found).map((each) => ({
    ...each,
    failure: each.failure === undefined ? undefined : plainLine(each.failure, 250),
  }));
  return checked.length === 0 ? [] : [routeOf(checked), ...checked];
}

/** Merges results of one subject, such as two archives of one host; a failure wins. */
function distinct(checked: readonly Checked[]): Checked[] {
  const bySubject = new Map<string, Checked>();
  for (const each of checked) {
    if (bySubject.get(each.subject)?.failure === undefined) bySubject.set(each.subject, each);
  }
  return [...bySubject.values()];
}

function routeOf(checked: readonly Checked[]): Checked {
  const isDown = checked.every(({ failure }) => failure !== undefined);
  return {
    subject: wholeRoute,
    title: { en: wholeRoute, zh: '网络线路' },
    ...(isDown && { code: 'NETWORK_UNREACHABLE' as const }),
    failure: isDown ? 'none of the destinations can be reached' : undefined,
    warning: { kind: 'route', subject: wholeRoute },
  };
}
