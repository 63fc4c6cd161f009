import { importedProxiesFile } from '#contract/server-paths.ts';
import type { ProxiesContext } from '#proxies/actions/import.ts';
import { networkOptions } from '../../host/download/download.ts';
import { Host } from '../../host/host.ts';
import { runCommand } from '../../host/run/command.ts';
import { readSite } from '../../load-facts.ts';
import { installedRelease } from '../../stage/installed.ts';
import { readHidden } from '../read-hidden.ts';

/** Returns the context of the import of proxies on this server, with the route of its site. */
export async function proxiesContext(): Promise<ProxiesContext> {
  const host = new Host('/', runCommand);
  const { stdout, stderr, stdin } = process;
  const site = await readSite(host);
  // A first boot goes on without a command.
  const isInstalled = (await installedRelease(host)) !== undefined;
  return {
    ...{ stdout, stderr, stdin, cwd: process.cwd() },
    file: host.path(importedProxiesFile),
    network: networkOptions(site),
    askSecret: stdin.isTTY ? (message) => readHidden(`${message} (hidden): `) : undefined,
    next: site.route.mode === 'client' && isInstalled ? 'sudo landfall route on' : undefined,
    command: 'sudo landfall route',
  };
}
