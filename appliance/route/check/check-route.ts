import { plainLine } from '#contract/text/plain-line.ts';
import type { Context } from '../../stage/stage.ts';
import {
  type Checked,
  probeArchives,
  probeDestinations,
  probeProviders,
} from '../probe-destinations.ts';

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
  const probed = await Promise.all([
    probeArchives(context),
    host.outside.measure(() => probeDestinations(site, release)),
    host.outside.measure(() => probeProviders(site)),
  ]);
  const checked = distinct(probed.flat()).map((each) => ({
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
