import type { Context } from '../../stage/stage.ts';
import { bringUp } from './bring-up.ts';
import { anyDestination, type ProbeClient } from './probe.ts';
import { enterState, readClientState } from './state.ts';
import { importedProxies } from './wait-for-proxies.ts';

/** A check ends within ten minutes, and a proxy that does not respond takes most of one. */
const tries = 8;

/**
 * Changes to another imported proxy if the active one reaches nothing, or back to a proxy from direct
 * connections.
 * @param failures checks in a row in which nothing was reached, with this one
 * @param max failures after which the proxies count as failed, and `on_failure` applies
 * @returns whether the client changed
 */
export async function failOver(
  context: Context,
  { failures, max }: { readonly failures: number; readonly max: number },
  probe: ProbeClient = anyDestination,
): Promise<boolean> {
  const { host, site } = context;
  if (site.route.mode !== 'client') return false;
  const before = await readClientState(host);
  const proxies = await importedProxies(host);
  if (before === undefined || proxies === undefined) return false;
  // Its undo restores the configuration of now.
  if (before.state === 'provisional') return false;
  if (failures === 0 && before.state === 'active') return false;
  const hasFailed = failures >= max || before.state === 'failed';
  const mayConnectDirectly = hasFailed && site.route.on_failure === 'direct';
  const after = await bringUp(context, proxies, { probe, tries, mayConnectDirectly });
  if (after.state === 'failed' && !hasFailed) await enterState(host, 'active', before.node);
  return after.state === 'active';
}
