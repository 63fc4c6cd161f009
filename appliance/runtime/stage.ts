import { LandfallError } from '#contract/errors.ts';
import { withoutFirstStart } from '../host/first-start.ts';
import { installPackages, missingPackages } from '../host/packages/apt.ts';
import { ensureEnabled, isActive } from '../host/systemd.ts';
import type { Context, Stage } from '../stage/stage.ts';
import { hasComposePlugin, installComposePlugin } from './compose-plugin.ts';
import { daemonSettingsFile } from './daemon-settings.ts';
import { addDockerRepository, hasDockerRepository } from './docker-repository.ts';
import { engineInfo } from './engine.ts';
import { enginePackages } from './packages.ts';
import { proxyIsWrong, warnOfClientSettings, writeProxy } from './write-proxy.ts';
import { settingsAreRight, writeSettings } from './write-settings.ts';

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
  const todo = [
    missing.length > 0 && site.engine.source === 'docker' && "add Docker's repository to apt",
    missing.length > 0 && `install ${missing.join(', ')}`,
    !(await settingsAreRight(context)) && `write /${daemonSettingsFile}`,
    (await proxyIsWrong(context)) && "give the engine the site's proxy",
    !(await hasComposePlugin(context)) && "put the release's Compose in place",
    missing.length === 0 && !(await isActive(host, 'docker')) && 'start the engine',
  ];
  return todo.filter((line) => line !== false);
}

/**
 * The settings are written before Docker is installed, because with its own choice of addresses it
 * could cut the server off; and again once its version is known, before its first start.
 */
async function apply(context: Context): Promise<void> {
  const { host, server, site, report } = context;
  await writeSettings(context);
  if (site.engine.source === 'docker' && !(await hasDockerRepository(context))) {
    report.say("adding Docker's repository");
    await addDockerRepository(context);
  }
  await withoutFirstStart(host, ['docker.service', 'docker.socket'], async () => {
    await installPackages(host, enginePackages(server, site), (line) => report.say(line));
    await writeSettings(context);
    await writeProxy(context);
  });
  report.say('starting the engine');
  await ensureEnabled(host, 'docker.service');
  await host.run('systemctl', ['restart', 'docker']);
  if (!(await hasComposePlugin(context))) await installComposePlugin(context);
}

/** Believes the running engine, not its files. */
async function prove(context: Context): Promise<void> {
  const { host } = context;
  await warnOfClientSettings(context);
  const info = await engineInfo(host);
  if (info.LoggingDriver !== 'json-file' || !info.LiveRestoreEnabled) {
    throw new LandfallError('ENGINE_SETTINGS', 'the engine runs with other settings than ours', {
      hint: 'See: sudo docker info; systemctl cat docker',
    });
  }
  await host.run('docker', ['compose', 'version']);
  if (await hasComposePlugin(context)) return;
  throw new LandfallError('ENGINE_SETTINGS', "Compose is not the release's own", {
    retriable: true,
  });
}
