import { readText, writeText } from '../../host/files.ts';
import type { Host } from '../../host/host.ts';
import { isActive } from '../../host/systemd.ts';
import { captureUnit, clientDropIn, overlayFile, tableFile } from './names.ts';
import { emptyOverlay } from './render-overlay.ts';
import { renderCaptureTable } from './render-table.ts';
import { isPaused } from './state.ts';

/** The overlay while the capture is paused. */
const pausedOverlay = `${overlayFile('active')}.paused`;

/**
 * Connects directly, for `on_failure: direct`: both closed chains are flushed, and the client gets no
 * TUN interface at its next start. Has no effect on a server that captures nothing.
 */
export async function pauseCapture(host: Host): Promise<void> {
  const overlay = await readText(host, overlayFile('active'));
  if (overlay === undefined || (await isPaused(host))) return;
  await writeText(host, pausedOverlay, overlay);
  await writeText(host, overlayFile('active'), emptyOverlay);
  await loadCaptureTable(host, false);
}

/** Captures connections again at the next start of the client, after {@link pauseCapture}. */
export async function resumeCapture(host: Host): Promise<void> {
  const overlay = await readText(host, pausedOverlay);
  if (overlay === undefined || !(await isPaused(host))) return;
  await loadCaptureTable(host, true);
  await writeText(host, overlayFile('active'), overlay);
}

async function loadCaptureTable(host: Host, closed: boolean): Promise<void> {
  await writeText(host, tableFile, renderCaptureTable(closed));
  const isLoaded = (await readText(host, clientDropIn)) !== undefined;
  if (isLoaded && (await isActive(host, captureUnit))) {
    // The scheduled check has no CAP_NET_ADMIN.
    await host.run('systemctl', ['reload', captureUnit]);
  }
}
