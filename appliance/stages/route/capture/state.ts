import { rm } from 'node:fs/promises';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { readText, writeText } from '../../../server/host/files.ts';
import type { Host } from '../../../server/host/host.ts';
import {
  hasText,
  isActive,
  isEnabled,
  isPresent,
  missing,
  remove,
} from '../../../server/host/service.ts';
import { unconfirmed, undoNow } from '../../../server/host/undo/undo.ts';
import type { Measure } from '../../../server/stage/measure.ts';
import type { Context } from '../../../server/stage/stage.ts';
import { clientUnit } from '../client/render.ts';
import { enterState, storedClient } from '../client/state.ts';
import { anyCapture } from './files.ts';
import { capture } from './names.ts';
import { emptyOverlay, renderCaptureTable } from './render.ts';

/**
 * Whether this server captures connections. `provisional`: not confirmed yet. `paused`: no proxy works,
 * so connections are direct. `broken`: files are missing, or the rules are not loaded.
 */
export type CaptureState = 'off' | 'provisional' | 'active' | 'paused' | 'broken';

/** Returns the state of the capture. */
export async function captureState(host: Host): Promise<CaptureState> {
  if (!(await isPresent(host, anyCapture))) return 'off';
  const dropIn = { path: capture.clientDropIn, text: undefined };
  const isComplete = await isPresent(host, { files: [dropIn] });
  const isLoaded = (await isActive(host, capture.unit)) && (await isEnabled(host, capture.unit));
  if (!isComplete || !isLoaded) return 'broken';
  if ((await unconfirmed(host)).includes(capture.undo)) return 'provisional';
  return (await isPaused(host)) ? 'paused' : 'active';
}

async function isPaused(host: Host): Promise<boolean> {
  return (
    (await hasText(host, capture.overlay('active'), (text) => text === emptyOverlay)) ||
    (await hasText(host, capture.tableFile, (text) => text === renderCaptureTable(false)))
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
  const text = {
    en: 'connections are not captured yet; after the first boot, run `sudo landfall route on` and confirm it from a new login',
    zh: '还没有接管连接；首次启动结束后，请运行 `sudo landfall route on`，并在新的登录中确认',
  };
  report.warn({ kind: 'route', subject: 'capture', text });
}

/** Returns what `landfall route on` would do, one line per action. */
export async function captureTodo(host: Host, site: Pick<Site, 'route'>): Promise<string[]> {
  const state = await captureState(host);
  if (!wantsCapture(site)) return await missing(host, anyCapture);
  if (state === 'off')
    return [
      inLanguage({
        en: 'capture all connections, with `sudo landfall route on`',
        zh: '接管所有连接：`sudo landfall route on`',
      }),
    ];
  return state === 'broken'
    ? [
        inLanguage({
          en: 'repair the capture, with `sudo landfall route on`',
          zh: '修复连接的接管：`sudo landfall route on`',
        }),
      ]
    : [];
}

/** Records that the administrator confirmed the capture. */
export async function confirmCapture(host: Host): Promise<void> {
  const state = await storedClient.read(host);
  if (state?.state === 'provisional') await enterState(host, 'active', state.node);
}

const pausedOverlay = `${capture.overlay('active')}.paused`;

/**
 * Connects directly, for `on_failure: direct`: both closed chains are flushed, and the client gets no
 * TUN interface at its next start. Has no effect on a server that captures nothing.
 */
export async function pauseCapture(host: Host): Promise<void> {
  const overlay = await readText(host, capture.overlay('active'));
  if (overlay === undefined || (await isPaused(host))) return;
  await writeText(host, pausedOverlay, overlay);
  await writeText(host, capture.overlay('active'), emptyOverlay);
  await loadCaptureTable(host, false);
}

/** Captures connections again at the next start of the client, after {@link pauseCapture}. */
export async function resumeCapture(host: Host): Promise<void> {
  const overlay = await readText(host, pausedOverlay);
  if (overlay === undefined || !(await isPaused(host))) return;
  await loadCaptureTable(host, true);
  await writeText(host, capture.overlay('active'), overlay);
}

async function loadCaptureTable(host: Host, closed: boolean): Promise<void> {
  await writeText(host, capture.tableFile, renderCaptureTable(closed));
  const isLoaded = (await readText(host, capture.clientDropIn)) !== undefined;
  if (isLoaded && (await isActive(host, capture.unit))) {
    // The scheduled check has no CAP_NET_ADMIN.
    await host.run('systemctl', ['reload', capture.unit]);
  }
}

/**
 * Stops the capture: rules, routes, table and settings are as before, and so is /etc. The client keeps
 * running as a proxy. Undoes an unconfirmed capture.
 */
export async function removeCapture(host: Host): Promise<void> {
  if ((await unconfirmed(host)).includes(capture.undo)) await undoNow(host, capture.undo);
  if (!(await isPresent(host, anyCapture))) return;
  // The client first, so that it removes its own rules and does not stop with the unit.
  const dropIn = anyCapture.files.filter(({ path }) => path === capture.clientDropIn);
  await remove(host, { files: dropIn });
  const client = clientUnit('active');
  if (await isActive(host, client)) await host.succeeds('systemctl', ['restart', client]);
  // Without a unit, for example after an interruption, there is nothing to stop.
  await host.succeeds('systemctl', ['disable', '--now', '--quiet', capture.unit]);
  await rm(host.path(capture.folder), { recursive: true, force: true });
  await remove(host, { files: anyCapture.files });
}
