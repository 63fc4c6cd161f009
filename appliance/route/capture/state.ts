import type { Site } from '#contract/site/site.ts';
import type { Host } from '../../host/host.ts';
import { hasText, isPresent, missing } from '../../host/service.ts';
import { isActive, isEnabled } from '../../host/systemd.ts';
import { unconfirmed } from '../../host/undo/undo.ts';
import type { Measure } from '../../stage/measure.ts';
import type { Context } from '../../stage/stage.ts';
import { enterState, readClientState } from '../client/state.ts';
import { anyCapture } from './files.ts';
import { captureUndo, captureUnit, clientDropIn, overlayFile, tableFile } from './names.ts';
import { removeCapture } from './remove.ts';
import { emptyOverlay } from './render-overlay.ts';
import { renderCaptureTable } from './render-table.ts';

/**
 * Whether this server captures connections. `provisional`: not confirmed yet. `paused`: no proxy works,
 * so connections are direct. `broken`: files are missing, or the rules are not loaded.
 */
export type CaptureState = 'off' | 'provisional' | 'active' | 'paused' | 'broken';

/** Returns the state of the capture. */
export async function captureState(host: Host): Promise<CaptureState> {
  if (!(await isPresent(host, anyCapture))) return 'off';
  const dropIn = { path: clientDropIn, text: undefined };
  const isComplete = await isPresent(host, { files: [dropIn] });
  const isLoaded = (await isActive(host, captureUnit)) && (await isEnabled(host, captureUnit));
  if (!isComplete || !isLoaded) return 'broken';
  if ((await unconfirmed(host)).includes(captureUndo)) return 'provisional';
  return (await isPaused(host)) ? 'paused' : 'active';
}

/** Returns whether connections are direct, because no proxy works. */
export async function isPaused(host: Host): Promise<boolean> {
  return (
    (await hasText(host, overlayFile('active'), (text) => text === emptyOverlay)) ||
    (await hasText(host, tableFile, (text) => text === renderCaptureTable(false)))
  );
}

/** Returns whether a site captures the connections of its server. */
export function wantsCapture({ route }: Pick<Site, 'route'>): boolean {
  return route.mode === 'client' && route.capture === 'host';
}

/** Stops a capture that the site does not want. Only `landfall route on` starts one. */
export const captureMeasure: Measure = {
  check: ({ host, site }) => captureTodo(host, site),
  apply: async ({ host, site }) => {
    if (!wantsCapture(site)) await removeCapture(host);
  },
  prove: warnOfCapture,
};

/** Warns of a capture that is not on: a first boot never changes it. */
async function warnOfCapture({ host, site, report }: Context): Promise<void> {
  if (!wantsCapture(site) || (await captureState(host)) !== 'off') return;
  const text =
    'connections are not captured yet; after the first boot, run `sudo landfall route on` and confirm it from a new login';
  report.warn({ kind: 'route', subject: 'capture', text });
}

/** Returns what `landfall route on` would do, one line per action. */
export async function captureTodo(host: Host, site: Pick<Site, 'route'>): Promise<string[]> {
  const state = await captureState(host);
  if (!wantsCapture(site)) return await missing(host, anyCapture);
  if (state === 'off') return ['capture all connections, with `sudo landfall route on`'];
  return state === 'broken' ? ['repair the capture, with `sudo landfall route on`'] : [];
}

/** Records that the administrator confirmed the capture. */
export async function confirmCapture(host: Host): Promise<void> {
  const state = await readClientState(host);
  if (state?.state === 'provisional') await enterState(host, 'active', state.node);
}
