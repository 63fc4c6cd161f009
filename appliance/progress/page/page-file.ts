import { chmod, mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { gatewayPageFile, pageFile } from '#contract/server-paths.ts';
import { isMissing } from '#files/open-regular.ts';
import { makeFolder, removeFile, writeText } from '../../host/files.ts';
import type { Host } from '../../host/host.ts';
import type { Status } from '../status.ts';
import type { ExpectedTimes } from './expected-times.ts';
import { renderPage } from './render-page.ts';

/** What the page needs besides the status. */
export interface PageSettings {
  readonly expected: ExpectedTimes;
  /**
   * URL to open when the setup is complete, for a site with host names: then the gateway serves the
   * page at the address of the server. Without host names, the address leads to the chat UI.
   */
  readonly url?: string | undefined;
}

/** Writes the page atomically. */
export async function writePage(
  host: Host,
  status: Status,
  { expected, url }: PageSettings,
): Promise<void> {
  const page = renderPage(status, expected, Date.now(), url);
  await makeFolder(host, dirname(pageFile), { mode: 0o755 });
  await writeText(host, pageFile, page);
  if (url !== undefined) await giveToGateway(host, page);
}

/** Writes the page for the gateway, without a sync to the disk: it is written several times a second. */
async function giveToGateway(host: Host, page: string): Promise<void> {
  const path = host.path(gatewayPageFile);
  try {
    // The stage `stack` creates this folder.
    await stat(dirname(dirname(path)));
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o755 });
  await writeFile(`${path}.new`, page);
  await chmod(`${path}.new`, 0o644);
  await rename(`${path}.new`, path);
}

/** How long browsers that were open during the setup can learn that it is complete. Seconds. */
const keptAfterwards = 3600;

/**
 * Removes the page of the gateway after an hour, or at a shutdown. It contains the host name of the
 * site, which a server does not show to clients that only know its address.
 */
export async function expireGatewayPage(host: Host): Promise<void> {
  const isPlanned = await host.succeeds('systemd-run', [
    '--quiet',
    '--collect',
    '--unit=landfall-page-end',
    '--description=Landfall: end of the first boot progress page',
    `--property=ExecStopPost=/bin/rm -f ${host.path(gatewayPageFile)}`,
    '/bin/sleep',
    `${keptAfterwards}`,
  ]);
  if (!isPlanned) await removeFile(host, gatewayPageFile);
}
