import { LandfallError } from '#contract/errors.ts';
import { missingPackages } from '../host/packages/apt.ts';
import { withoutFirstStart } from '../host/packages/first-start.ts';
import { ensureEnabled, isActive } from '../host/systemd.ts';
import type { Context, Stage } from '../stage/stage.ts';
import { warnOfClientSettings } from './client-files.ts';
import { hasComposePlugin, installComposePlugin } from './compose-plugin.ts';
import { daemonSettingsFile } from './daemon-settings.ts';
import { dockerInfo } from './docker.ts';
import { dockerSource, installDocker, warnOfDistribution } from './install-docker.ts';
import { dockerPackages } from './packages.ts';
import { proxyIsWrong, writeProxy } from './write-proxy.ts';
import { settingsAreRight, writeSettings } from './write-settings.ts';

/** Installs Docker with our settings, and the Compose of the release. */
export const runtimeStage: Stage = {
  name: 'runtime',
  title: 'runtime: Docker and Compose',
  check,
  apply,
  prove,
};

async function check(context: Context): Promise<string[]> {
  const { host, server, site } = context;
  const source = await dockerSource(context);
  const missing = source ? await missingPackages(host, dockerPackages(server, source)) : undefined;
  const todo = [
    missing === undefined &&
      "install Docker's packages, or those of the distribution if they cannot be installed",
    missing !== undefined &&
      missing.length > 0 &&
      source === 'docker' &&
      "add Docker's repository to apt",
    missing !== undefined && missing.length > 0 && `install ${missing.join(', ')}`,
    !(await settingsAreRight(context)) && `write /${daemonSettingsFile}`,
    (await proxyIsWrong(context)) &&
      `set the proxy${site.ca === undefined ? '' : ' and the certificate authorities'} of Docker`,
    !(await hasComposePlugin(context)) && 'install Docker Compose from the release',
    missing?.length === 0 && !(await isActive(host, 'docker')) && 'start Docker',
  ];
  return todo.filter((line) => line !== false);
}

/**
 * Writes the settings before Docker is installed, because its default addresses could make the server
 * unreachable, and again when its version is known, before the first start.
 */
async function apply(context: Context): Promise<void> {
  const { host, report } = context;
  await writeSettings(context);
  await withoutFirstStart(host, ['docker.service', 'docker.socket'], async () => {
    await installDocker(context);
    await writeSettings(context);
    await writeProxy(context);
  });
  report.say('starting Docker');
  await ensureEnabled(host, 'docker.service');
  // Otherwise the fourth change of the route within a minute leaves Docker down (StartLimitBurst=).
  await host.run('systemctl', ['reset-failed', 'docker'], { accept: [1] });
  await host.run('systemctl', ['restart', 'docker']);
  if (!(await hasComposePlugin(context))) await installComposePlugin(context);
}

/** Checks the running Docker, not its files. */
async function prove(context: Context): Promise<void> {
  const { host } = context;
  await warnOfClientSettings(context);
  await warnOfDistribution(context);
  const info = await dockerInfo(host);
  if (info.LoggingDriver !== 'json-file' || !info.LiveRestoreEnabled) {
    throw new LandfallError('DOCKER_SETTINGS', 'Docker is running with other settings', {
      hint: 'Check: sudo docker info; systemctl cat docker',
    });
  }
  await host.run('docker', ['compose', 'version']);
  if (await hasComposePlugin(context)) return;
  throw new LandfallError('DOCKER_SETTINGS', 'Docker Compose is not the version of the release', {
    retriable: true,
  });
}
