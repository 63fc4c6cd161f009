import { effectiveRoute } from '#contract/site/network/effective-route.ts';
import { maskedUrl } from '#proxy-settings/variables.ts';
import { exemptions } from '../host/download/route-environment.ts';
import { type CaptureState, captureState } from '../route/capture/state.ts';
import { type ClientState, readClientState } from '../route/client/state.ts';
import { routeChanges } from '../route/stage.ts';
import { withoutRoute } from '../route/undo-route.ts';
import type { Context } from '../stage/stage.ts';

/** What `landfall route show --json` prints. */
interface ShownRoute {
  readonly mode: Context['site']['route']['mode'];
  /** Without a password; null for a direct route. */
  readonly proxy: string | null;
  readonly noProxy: string | null;
  /** The proxy client, with the name of the proxy in use; null without one. */
  readonly client: Pick<ClientState, 'state' | 'node' | 'since' | 'verdict'> | null;
  /** Whether the files of this server match the site. */
  readonly state: 'on' | 'off' | 'incomplete';
  /** Whether connections of other programs enter the proxy client; null without one. */
  readonly capture: CaptureState | null;
  /** What `landfall route on` would do. */
  readonly missing: readonly string[];
}

/** Returns the route of the site, and whether it is in effect. */
export async function shownRoute(context: Context): Promise<ShownRoute> {
  const { site } = context;
  const { route } = site;
  const effective = effectiveRoute(site, 'host');
  const missing = await routeChanges(context);
  const client = route.mode === 'client' ? await readClientState(context.host) : undefined;
  const present = await routeChanges({ ...context, site: withoutRoute(site) });
  return {
    mode: route.mode,
    proxy: effective.mode === 'direct' ? null : maskedUrl(effective.url),
    noProxy: route.mode === 'direct' ? null : exemptions(site),
    client: client === undefined ? null : shownClient(client),
    state: missing.length === 0 ? 'on' : present.length === 0 ? 'off' : 'incomplete',
    capture: route.mode === 'client' ? await captureState(context.host) : null,
    missing,
  };
}

function shownClient({ state, node, since, verdict }: ClientState) {
  return { state, node, since, verdict };
}

/** Formats a route for users. */
export function describeRoute(shown: ShownRoute): string {
  const { mode, proxy, noProxy, client, state, capture, missing } = shown;
  return [
    `route     ${mode === 'direct' ? 'direct, without a proxy' : mode}`,
    ...(proxy ? [`proxy     ${proxy}`, `no_proxy  ${noProxy}`] : []),
    ...(client ? [`client    ${[client.state, client.node].filter(Boolean).join(': ')}`] : []),
    ...(client?.verdict ? [`          ${client.verdict}`] : []),
    `state     ${state}`,
    ...(capture ? [`capture   ${capture}`] : []),
    ...missing.map((line) => `          - ${line}`),
  ].join('\n');
}
