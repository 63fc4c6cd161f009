import { installedMark } from '#contract/server-paths.ts';
import { firewallFacts } from '../../firewall/facts.ts';
import { readText } from '../../host/files.ts';
import { confirmWithin } from '../../route/capture/names.ts';
import { wantsCapture } from '../../route/capture/state.ts';
import { switchCapture } from '../../route/capture/switch.ts';
import type { Context } from '../../stage/stage.ts';

/**
 * Captures all connections if the site says so, and prints how to confirm it. A server that is not
 * installed yet captures nothing.
 * @throws LandfallError UNCONFIRMED, SERVER_UNFIT, ROUTE_BLOCKED
 */
export async function turnCaptureOn(context: Context): Promise<void> {
  const { host, site } = context;
  if (!wantsCapture(site) || (await readText(host, installedMark)) === undefined) return;
  const { openings } = await firewallFacts(host, site);
  if (!(await switchCapture(context, { openings }))) return;
  console.log(`All connections of this server and its containers now enter the proxy client.
Log in again in another window and run: sudo landfall confirm
Otherwise the change is undone in ${confirmWithin / 60} minutes.`);
}
