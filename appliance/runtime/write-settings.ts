import { existsSync } from 'node:fs';
import { isFile, readText, withCandidate, writeText } from '../host/files.ts';
import type { Context } from '../stage/stage.ts';
import { daemonSettings, daemonSettingsFile, ownLists } from './daemon-settings.ts';
import { dockerMajor, routeDestinations, validateSettings } from './docker.ts';
import { changeOwnSettings, readOwnSettings } from './own-settings.ts';

/** Returns whether daemon.json matches the site. @throws LandfallError DOCKER_SETTINGS */
export async function settingsAreRight(context: Context): Promise<boolean> {
  const { text } = await wantedSettings(context);
  return await isFile(context.host, daemonSettingsFile, text);
}

/**
 * Writes daemon.json after validation by dockerd.
 * @throws LandfallError DOCKER_SETTINGS; the file is not changed
 */
export async function writeSettings(context: Context): Promise<void> {
  const { host } = context;
  if (await settingsAreRight(context)) return;
  const { text, own } = await wantedSettings(context);
  const version = await dockerMajor(host);
  const proposed = `${daemonSettingsFile}.landfall-proposed`;
  await withCandidate(host, proposed, { text, mode: 0o644 }, async (path) => {
    if (version !== undefined) await validateSettings(host, path, version);
    await changeOwnSettings(host, own, () => writeText(host, daemonSettingsFile, text));
  });
}

async function wantedSettings({ host, site }: Context) {
  const current = await readText(host, daemonSettingsFile);
  const earlier = await readOwnSettings(host);
  const [routes, dockerVersion] = await Promise.all([routeDestinations(host), dockerMajor(host)]);
  return {
    text: daemonSettings(current, {
      ...{ site, routes, dockerVersion, earlier },
      hasStarted: existsSync(host.path('var/lib/docker')),
    }),
    own: ownLists(current, { site, earlier }),
  };
}
