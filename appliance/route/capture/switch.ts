import { existsSync } from 'node:fs';
import { LandfallError } from '#contract/errors.ts';
import type { Opening } from '#contract/site/opening.ts';
import type { Host } from '../../host/host.ts';
import { install, isInPlace } from '../../host/service.ts';
import { changeUnderUndo, unconfirmed } from '../../host/undo/undo.ts';
import type { Context } from '../../stage/stage.ts';
import { bringUp } from '../client/bring-up.ts';
import { everyDestination, type ProbeClient } from '../client/probe.ts';
import { clientUnit } from '../client/render-unit.ts';
import { enterState } from '../client/state.ts';
import { importedProxies } from '../client/wait-for-proxies.ts';
import { refuseConflicts } from './conflicts.ts';
import { captureService } from './files.ts';
import { captureUndo, confirmWithin } from './names.ts';
import { type ProveCapture, proveCapture } from './prove.ts';
import { renderCaptureUndo } from './render-undo.ts';
import { captureState } from './state.ts';

interface Options {
  /** The openings of the firewall; replies from their UDP ports are not captured. */
  readonly openings: readonly Opening[];
  readonly probe?: ProbeClient;
  readonly prove?: ProveCapture;
}

/**
 * Captures all connections of an installed server and its containers, and reverts this after
 * {@link confirmWithin} seconds unless a new login confirms it. A proxy is tested first, without a TUN
 * interface.
 * @returns whether a confirmation is needed; false if nothing changed
 * @throws LandfallError UNCONFIRMED, SERVER_UNFIT, ROUTE_BLOCKED; nothing is captured then
 */
export async function switchCapture(context: Context, options: Options): Promise<boolean> {
  const { host, site, report } = context;
  const { openings, probe = everyDestination, prove = proveCapture } = options;
  await refuseUnconfirmed(host);
  const before = await captureState(host);
  const capture = await captureService(host, site, openings);
  if (before === 'active' && (await isInPlace(host, capture))) return false;
  if (before === 'off') await refuseConflicts(host);
  refuseWithoutTun(host);
  const node = await findProxy(context, probe);
  report.say('capturing all connections');
  const undo = {
    name: captureUndo,
    script: await renderCaptureUndo(host, before === 'active' || before === 'paused'),
    seconds: confirmWithin,
  };
  await changeUnderUndo(host, undo, async () => {
    await enterState(host, 'provisional', node);
    await install(host, capture);
    await host.run('systemctl', ['restart', clientUnit('active')]);
    await prove(context);
  });
  return true;
}

async function refuseUnconfirmed(host: Host): Promise<void> {
  if (!(await unconfirmed(host)).includes(captureUndo)) return;
  throw new LandfallError('UNCONFIRMED', 'the capture of connections is not confirmed', {
    hint: 'Log in again and run `sudo landfall confirm`, or wait until the change is reverted.',
  });
}

function refuseWithoutTun(host: Host): void {
  if (existsSync(host.path('dev/net/tun'))) return;
  throw new LandfallError('SERVER_UNFIT', 'this server has no /dev/net/tun', {
    hint: 'Load the kernel module with `sudo modprobe tun`, or set route.capture to none.',
  });
}

/** Returns the name of a proxy that works, which the client now uses. */
async function findProxy(context: Context, probe: ProbeClient): Promise<string | null> {
  const proxies = (await importedProxies(context.host)) ?? [];
  const search = { probe, tries: 16, mayConnectDirectly: false };
  const { state, node, verdict } = await bringUp(context, proxies, search);
  if (state === 'active') return node;
  throw new LandfallError('ROUTE_BLOCKED', `no imported proxy works: ${verdict}`, {
    hint: 'Import other proxies with `sudo landfall route import <file>`, then run `sudo landfall route on`.',
  });
}
