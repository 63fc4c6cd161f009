import type { Host } from '../../host/host.ts';
import { isActive } from '../../host/systemd.ts';
import { unconfirmed, undoNow } from '../../host/undo/undo.ts';
import { clientUnit } from '../client/render-unit.ts';
import { captureFiles, hasCaptureFiles, removeCaptureFiles, removeCaptureFolder } from './files.ts';
import { captureUndo, captureUnit, captureUnitFile, clientDropIn } from './names.ts';

/**
 * Stops the capture: rules, routes, table and settings are as before, and so is /etc. The client keeps
 * running as a proxy. Undoes an unconfirmed capture.
 */
export async function removeCapture(host: Host): Promise<void> {
  if ((await unconfirmed(host)).includes(captureUndo)) await undoNow(host, captureUndo);
  if (!(await hasCaptureFiles(host))) return;
  // The client first, so that it removes its own rules and does not stop with the unit.
  await removeCaptureFiles(host, [clientDropIn]);
  await host.run('systemctl', ['daemon-reload']);
  const client = clientUnit('active');
  if (await isActive(host, client)) await host.succeeds('systemctl', ['restart', client]);
  // Without a unit, for example after an interruption, there is nothing to stop.
  await host.succeeds('systemctl', ['disable', '--now', '--quiet', captureUnit]);
  await removeCaptureFiles(
    host,
    captureFiles.filter((path) => path !== captureUnitFile),
  );
  await removeCaptureFolder(host);
  await removeCaptureFiles(host, [captureUnitFile]);
  await host.run('systemctl', ['daemon-reload']);
}
