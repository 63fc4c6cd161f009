import { effectiveRoute } from '#contract/site/network/effective-route.ts';
import { maskedUrl } from '#proxy-settings/masked-url.ts';
import { exemptions } from '../../host/download/route-environment.ts';
import { routeChanges } from '../../route/stage.ts';
import { withoutRoute } from '../../route/undo-route.ts';
import type { Context } from '../../stage/stage.ts';

/** What `landfall route show --json` prints. */
interface ShownRoute {
  readonly mode: Context['site']['route']['mode'];
  /** Without a password; null for a direct route. */
  readonly proxy: string | null;
  readonly noProxy: string | null;
  /** Whether the files of this server match the site. */
  readonly state: 'on' | 'off' | 'incomplete';
  /** What `landfall route on` would do. */
  readonly missing: readonly string[];
}

/** Returns the route of the site, and whether it is in effect. */
export async function shownRoute(context: Context): Promise<ShownRoute> {
  const { site } = context;
  const { route } = site;
  const effective = effectiveRoute(site, 'host');
  const missing = await routeChanges(context);
  const present = await routeChanges({ ...context, site: withoutRoute(site) });
  return {
    mode: route.mode,
    proxy: effective.mode === 'direct' ? null : maskedUrl(effective.url),
    noProxy: route.mode === 'direct' ? null : exemptions(site),
    state: missing.length === 0 ? 'on' : present.length === 0 ? 'off' : 'incomplete',
    missing,
  };
}

/** Formats a route for users. */
export function describeRoute({ mode, proxy, noProxy, state, missing }: ShownRoute): string {
  return [
    `route     ${mode === 'direct' ? 'direct, without a proxy' : mode}`,
    ...(proxy ? [`proxy     ${proxy}`, `no_proxy  ${noProxy}`] : []),
    `state     ${state}`,
    ...missing.map((line) => `          - ${line}`),
  ].join('\n');
}
