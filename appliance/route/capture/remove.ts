import { rm } from 'node:fs/promises';
import type { Host } from '../../host/host.ts';
import { isPresent, remove } from '../../host/service.ts';
import { isActive } from '../../host/systemd.ts';
import { unconfirmed, undoNow } from '../../host/undo/undo.ts';
import { clientUnit } from '../client/render-unit.ts';
import { anyCapture } from './files.ts';
import { captureFolder, captureUndo, captureUnit, clientDropIn } from './names.ts';

/**
 * Stops the capture: rules, routes, table and settings are as before, and so is /etc. The client keeps
 * running as a proxy. Undoes an unconfirmed capture.
 */
export async function removeCapture(host: Host): Promise<void> {
  if ((await unconfirmed(host)).includes(captureUndo)) await undoNow(host, captureUndo);
  if (!(await isPresent(host, anyCapture))) return;
  // The client first, so that it removes its own rules and does not stop with the unit.
  const dropIn = anyCapture.files.filter(({ path }) => path === clientDropIn);
  await remove(host, { files: dropIn });
  const client = clientUnit('active');
  if (await isActive(host, client)) await host.succeeds('systemctl', ['restart', client]);
  // Without a unit, for example after an interruption, there is nothing to stop.
  await host.succeeds('systemctl', ['disable', '--now', '--quiet', captureUnit]);
  await rm(host.path(captureFolder), { recursive: true, force: true });
  await remove(host, { files: anyCapture.files });
}
