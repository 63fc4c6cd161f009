import { dirname } from 'node:path';
import { clientStateFile } from '#contract/server-paths.ts';
import type { Host } from '../../host/host.ts';
import { restoreScript } from '../../host/undo/undo.ts';
import { clientUnit } from '../client/render-unit.ts';
import { captureFiles } from './files.ts';
import { captureFolder, captureUnit, onScript } from './names.ts';
import { offLines } from './render-scripts.ts';

/** The link that `systemctl enable` creates. */
const enabled = `etc/systemd/system/sysinit.target.wants/${captureUnit}`;
const client = clientUnit('active');

/**
 * Renders the script that restores the current state: the files, the client, then rules and table. At
 * boot it runs before the capture and the client start: the first command has no effect on the client
 * then, and the second one cancels the start of the capture.
 * @param isOn whether the current state captures connections
 */
export async function renderCaptureUndo(host: Host, isOn: boolean): Promise<string> {
  const files = await Promise.all(captureFiles.map((path) => restoreScript(host, path)));
  const folders = captureFiles.filter((path) => path.includes('.d/')).map(dirname);
  const restore = `${files.join('')}${await restoreScript(host, clientStateFile, 0o600)}systemctl daemon-reload
`;
  if (isOn) {
    return `${restore}sh ${host.path(onScript)} || failed=yes
systemctl try-restart ${client}`;
  }
  return `${restore}systemctl try-restart ${client}
systemctl stop ${captureUnit} 2>/dev/null
${offLines(host)}rm -f ${host.path(enabled)}
rm -rf ${host.path(captureFolder)}
rmdir --ignore-fail-on-non-empty ${folders.map((path) => host.path(path)).join(' ')} 2>/dev/null
systemctl daemon-reload`;
}
