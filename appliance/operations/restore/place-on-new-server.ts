import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  accessFolder,
  backupFolder,
  banSettingsFile,
  diskSettingsFile,
  dockerSwarmFolder,
  firewallSettingsFile,
  restoredSwarmFolder,
  secretsFolder,
  siteFile,
  swarmFolder,
} from '#contract/server-paths.ts';
import { volumeFolder } from '../../server/chats/sandbox.ts';
import { swapIn } from '../../server/chats/volume-copy.ts';
import type { Host } from '../../server/host/host.ts';
import { putTree } from '../transactions/saved-files.ts';
import type { FetchedBackup } from './fetch-backup.ts';

/** Settings, keys and certificates that a new server takes over. It has its own site and its own trust anchor. */
const taken = [
  secretsFolder,
  backupFolder,
  firewallSettingsFile,
  banSettingsFile,
  diskSettingsFile,
  swarmFolder,
  accessFolder,
  'etc/landfall/authority',
  'etc/landfall/tls',
  'var/lib/landfall/acme/config',
] as const;

/** The site of the earlier server, to compare it. */
export const earlierSiteFile = 'var/lib/landfall/backup/earlier-site.json';

const volume = 'landfall_ui-data';
const labels = ['com.docker.compose.project=landfall', 'com.docker.compose.volume=ui-data'];

/**
 * Returns the folder that Docker has for the data of the chat UI; creates the volume as Compose does,
 * without what an interrupted restore has left.
 */
export async function emptyVolume(host: Host): Promise<string> {
  await host.run('docker', ['volume', 'rm', volume], { accept: [1] });
  const options = labels.flatMap((label) => ['--label', label]);
  await host.run('docker', ['volume', 'create', ...options, volume]);
  const folder = await volumeFolder(host, 'ui-data');
  if (folder === undefined) throw new Error('Docker has created no volume');
  return folder;
}

/**
 * Puts the data and the settings of a restored backup in place. Idempotent.
 * @param folder of the volume
 * @param id that of the fetched data
 * @param kept paths of files that stay as they are on this server
 */
export async function placeOnNewServer(
  host: Host,
  { settings, facts }: FetchedBackup,
  folder: string,
  id: string,
  kept: readonly string[],
): Promise<void> {
  for (const path of kept) await rm(join(settings, path), { force: true });
  for (const path of taken.filter((each) => existsSync(join(settings, each)))) {
    await putTree(join(settings, path), host.path(path), { removesOthers: false });
  }
  const swarm = join(settings, dockerSwarmFolder);
  if (existsSync(swarm)) {
    await putTree(swarm, host.path(restoredSwarmFolder), { removesOthers: true });
  }
  const site = join(settings, siteFile);
  if (existsSync(site)) {
    await putTree(site, host.path(earlierSiteFile), { removesOthers: false });
  }
  if (!facts) return;
  await swapIn(folder, id);
  await rm(join(folder, `_data.failed-${id}`), { recursive: true, force: true });
}
