import { isFile, readText, removeFile, writeText } from '../host/files.ts';
import type { Context } from '../stage/stage.ts';
import { daemonSettings, daemonSettingsFile, ownLists } from './daemon-settings.ts';
import { engineMajor, routeDestinations, validateSettings } from './engine.ts';
import { changeOwnSettings, readOwnSettings } from './own-settings.ts';

/** Whether daemon.json is as the site wants it. @throws LandfallError ENGINE_SETTINGS */
export async function settingsAreRight(context: Context): Promise<boolean> {
  const { text } = await wantedSettings(context);
  return await isFile(context.host, daemonSettingsFile, text);
}

/**
 * Writes daemon.json, once the engine itself has judged it.
 * @throws LandfallError ENGINE_SETTINGS; the file stays as it was
 */
export async function writeSettings(context: Context): Promise<void> {
  const { host } = context;
  if (await settingsAreRight(context)) return;
  const { text, own } = await wantedSettings(context);
  const engine = await engineMajor(host);
  const proposed = `${daemonSettingsFile}.landfall-proposed`;
  await writeText(host, proposed, text);
  try {
    if (engine !== undefined) await validateSettings(host, host.path(proposed), engine);
    await changeOwnSettings(host, own, () => writeText(host, daemonSettingsFile, text));
  } finally {
    await removeFile(host, proposed);
  }
}

async function wantedSettings({ host, site }: Context) {
  const current = await readText(host, daemonSettingsFile);
  const earlier = await readOwnSettings(host);
  const [routes, engine] = await Promise.all([routeDestinations(host), engineMajor(host)]);
  return {
    text: daemonSettings(current, { site, routes, engine, earlier }),
    own: ownLists(current, { site, earlier }),
  };
}
