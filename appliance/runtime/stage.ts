import { LandfallError } from '#contract/errors.ts';
import { installPackages, missingPackages } from '../host/apt.ts';
import { environmentFile } from '../host/environment-file.ts';
import { isFile, readText, removeFile, writeText } from '../host/files.ts';
import { engineEnvironment, routeEnvironment } from '../host/route-environment.ts';
import { isActive } from '../host/systemd.ts';
import type { Context, Stage } from '../stage/stage.ts';
import { hasComposePlugin, installComposePlugin } from './compose-plugin.ts';
import { daemonSettings, daemonSettingsFile } from './daemon-settings.ts';
import { addDockerRepository, hasDockerRepository } from './docker-repository.ts';
import { engineInfo, engineMajor, routeDestinations, validateSettings } from './engine.ts';
import { enginePackages } from './packages.ts';
import {
  clientSettings,
  clientSettingsFile,
  engineProxyFile,
  proxyDropIn,
  proxyDropInText,
} from './proxy-settings.ts';

/** Docker, with our settings and our Compose. */
export const runtimeStage: Stage = {
  name: 'runtime',
  title: 'runtime: Docker and Compose',
  check,
  apply,
  prove,
};

async function check(context: Context): Promise<string[]> {
  const { host, server, site } = context;
  const missing = await missingPackages(host, enginePackages(server, site));
  const settings = await settingsFor(context);
  const todo = [
    missing.length > 0 && site.engine.source === 'docker' && "add Docker's repository to apt",
    missing.length > 0 && `install ${missing.join(', ')}`,
    !(await isFile(host, daemonSettingsFile, settings)) && `write /${daemonSettingsFile}`,
    (await proxyIsWrong(context)) && "give the engine the site's proxy",
    !(await hasComposePlugin(context)) && "put the release's Compose in place",
    missing.length === 0 && !(await isActive(host, 'docker')) && 'start the engine',
  ];
  return todo.filter((line) => line !== false);
}

/**
 * The settings lie there before the engine is installed, because it starts at once: with its own
 * choice of addresses it could cut the server off.
 */
async function apply(context: Context): Promise<void> {
  const { host, server, site, report } = context;
  await writeSettings(context);
  if (site.engine.source === 'docker' && !(await hasDockerRepository(context))) {
    report.say("adding Docker's repository");
    await addDockerRepository(context);
  }
  await installPackages(host, enginePackages(server, site), (line) => report.say(line));
  await writeSettings(context);
  await writeProxy(context);
  report.say('starting the engine');
  await host.run('systemctl', ['daemon-reload']);
  await host.run('systemctl', ['enable', 'docker']);
  await host.run('systemctl', ['restart', 'docker']);
  if (!(await hasComposePlugin(context))) await installComposePlugin(context);
}

/** Believes the running engine, not its files. */
async function prove(context: Context): Promise<void> {
  const { host } = context;
  const info = await engineInfo(host);
  if (info.LoggingDriver !== 'json-file' || !info.LiveRestoreEnabled) {
    throw new LandfallError('ENGINE_SETTINGS', 'the engine runs with other settings than ours', {
      hint: 'See: docker info; systemctl cat docker',
    });
  }
  await host.run('docker', ['compose', 'version']);
  if (await hasComposePlugin(context)) return;
  throw new LandfallError('ENGINE_SETTINGS', "Compose is not the release's own", {
    hint: 'It is tried again by itself.',
  });
}

async function settingsFor({ host, site }: Context): Promise<string> {
  return daemonSettings(await readText(host, daemonSettingsFile), {
    site,
    routes: await routeDestinations(host),
    engine: await engineMajor(host),
  });
}

async function writeSettings(context: Context): Promise<void> {
  const { host } = context;
  const settings = await settingsFor(context);
  if (await isFile(host, daemonSettingsFile, settings)) return;
  const engine = await engineMajor(host);
  const proposed = `${daemonSettingsFile}.landfall-proposed`;
  await writeText(host, proposed, settings);
  try {
    if (engine !== undefined) await validateSettings(host, host.path(proposed), engine);
    await writeText(host, daemonSettingsFile, settings);
  } finally {
    await removeFile(host, proposed);
  }
}

/** Files by path; where the site has no proxy for the engine, they must not be there. */
function proxyFiles({
  site,
}: Context): ReadonlyArray<{ path: string; text: string; mode: number }> {
  const variables = environmentFile(engineEnvironment(site));
  return [
    { path: engineProxyFile, text: variables, mode: 0o600 },
    { path: proxyDropIn, text: variables && proxyDropInText, mode: 0o644 },
  ];
}

async function proxyIsWrong(context: Context): Promise<boolean> {
  const { host } = context;
  const right = await Promise.all(
    proxyFiles(context).map(async ({ path, text, mode }) =>
      text === ''
        ? (await readText(host, path)) === undefined
        : await isFile(host, path, text, { mode }),
    ),
  );
  return right.includes(false);
}

async function writeProxy(context: Context): Promise<void> {
  const { host, site, report } = context;
  const files = proxyFiles(context);
  // The drop-in is never there without what it names: the engine would not start.
  for (const { path } of files.filter(({ text }) => text === '').reverse()) {
    await removeFile(host, path);
  }
  for (const { path, text, mode } of files.filter(({ text }) => text !== '')) {
    await writeText(host, path, text, { mode });
  }
  const forContainers = routeEnvironment(site);
  if (Object.keys(forContainers).length === 0) return;
  const client = clientSettings(await readText(host, clientSettingsFile), forContainers);
  if (client === undefined) report.warn(`/${clientSettingsFile} is not JSON and was left alone`);
  else await writeText(host, clientSettingsFile, client, { mode: 0o600 });
}
