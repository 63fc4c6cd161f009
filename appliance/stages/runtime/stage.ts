import { existsSync } from 'node:fs';
import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { usesSwarm } from '#contract/site/enabled.ts';
import { inBoth, inLanguage } from '#contract/text/language.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { removeSwarm } from '../../nodes/swarm/first-server.ts';
import { hasInterface } from '../../nodes/swarm/wireguard.ts';
import {
  environmentFile,
  goRouteEnvironment,
  systemBundle,
} from '../../server/host/download/route-environment.ts';
import { readText, withCandidate } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { missingPackages } from '../../server/host/packages/apt.ts';
import { withoutFirstStart } from '../../server/host/packages/first-start.ts';
import {
  ensureEnabled,
  install,
  installs,
  isActive,
  isInPlace,
  type Service,
} from '../../server/host/service.ts';
import type { Context, Stage } from '../../server/stage/stage.ts';
import {
  clientFilesAreRight,
  dockerProxyFile,
  proxyDropIn,
  proxyDropInText,
  warnOfClientSettings,
  writeClientFiles,
} from './client-files.ts';
import { hasComposePlugin, installComposePlugin } from './compose-plugin.ts';
import { daemonSettings, daemonSettingsFile } from './daemon-settings.ts';
import {
  dockerPackages,
  dockerSource,
  installDocker,
  warnOfDistribution,
} from './install-docker.ts';
import { changeOwnSettings, storedSettings } from './own-settings.ts';
import { lines } from './plan-lines.ts';

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
  const isMissing = missing !== undefined && missing.length > 0;
  const todo = [
    missing === undefined && lines.anySource,
    isMissing && source === 'docker' && lines.repository,
    isMissing && inBoth(installs(missing)),
    !(await isInPlace(host, (await dockerSettings(context)).service)) &&
      (usesSwarm(site) ? lines.swarmSettings : lines.settings),
    !usesSwarm(site) && (await hasInterface(host)) && lines.endSwarm,
    (await proxyIsWrong(context)) && (site.ca === undefined ? lines.proxy : lines.proxyAndCa),
    !(await hasComposePlugin(context)) && lines.compose,
    missing?.length === 0 && !(await isActive(host, 'docker')) && lines.start,
  ];
  return todo.filter((line) => line !== false).map((line) => inLanguage(line));
}

/**
 * Writes the settings before Docker is installed, because its default addresses could make the server
 * unreachable, and again when its version is known, before the first start.
 */
async function apply(context: Context): Promise<void> {
  const { host, report } = context;
  // Docker does not start with `live-restore` while it is in a Swarm.
  if (!usesSwarm(context.site)) await removeSwarm(host);
  await writeSettings(context);
  await withoutFirstStart(host, ['docker.service', 'docker.socket'], async () => {
    await installDocker(context);
    await writeSettings(context);
    await writeProxy(context);
  });
  report.say(inLanguage({ en: 'starting Docker', zh: '启动 Docker' }));
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
  const keepsRunning = !usesSwarm(context.site);
  if (info.LoggingDriver !== 'json-file' || info.LiveRestoreEnabled !== keepsRunning) {
    throw new LandfallError('DOCKER_SETTINGS', 'Docker is running with other settings', {
      hint: {
        en: 'Check: sudo docker info; systemctl cat docker',
        zh: '检查：sudo docker info；systemctl cat docker',
      },
    });
  }
  await host.run('docker', ['compose', 'version']);
  if (await hasComposePlugin(context)) return;
  throw new LandfallError('DOCKER_SETTINGS', 'Docker Compose is not the version of the release', {
    retriable: true,
  });
}

/** Returns whether dockerd or the command `docker` has another proxy than the site. */
export async function proxyIsWrong(context: Context): Promise<boolean> {
  const { host } = context;
  return !(await isInPlace(host, dockerProxy(context))) || !(await clientFilesAreRight(context));
}

async function writeProxy(context: Context): Promise<void> {
  await install(context.host, dockerProxy(context));
  await writeClientFiles(context);
}

/** Returns the proxy files of dockerd, which does not start if the drop-in names a missing file. */
function dockerProxy({ site }: Context): Service {
  const variables =
    environmentFile({ ...goRouteEnvironment(site, 'host'), ...dockerTrust(site) }) || undefined;
  return {
    files: [
      { path: dockerProxyFile, text: variables, mode: 0o600 },
      { path: proxyDropIn, text: variables && proxyDropInText },
    ],
  };
}

/** dockerd reads certificate authorities once: the digest makes this stage restart it after a change. */
function dockerTrust({ ca }: Context['site']): Readonly<Record<string, string>> {
  if (ca === undefined) return {};
  return { SSL_CERT_FILE: `/${systemBundle}`, LANDFALL_CA_SHA256: sha256Hex(ca) };
}

/**
 * Writes daemon.json after validation by dockerd.
 * @throws LandfallError DOCKER_SETTINGS; the file is not changed
 */
async function writeSettings(context: Context): Promise<void> {
  const { host } = context;
  const { text, service, own } = await dockerSettings(context);
  if (await isInPlace(host, service)) return;
  const proposed = `${daemonSettingsFile}.landfall-proposed`;
  await withCandidate(host, proposed, { text, mode: 0o644 }, (path) =>
    validateSettings(host, path),
  );
  await changeOwnSettings(host, own, () => install(host, service));
}

/** Returns daemon.json for the site, and which of its entries are ours. @throws LandfallError DOCKER_SETTINGS */
async function dockerSettings({ host, site }: Context) {
  const current = await readText(host, daemonSettingsFile);
  const earlier = await storedSettings.read(host);
  const [found, dockerVersion] = await Promise.all([routeDestinations(host), dockerMajor(host)]);
  const routes = [...found, ...(site.access ? [site.access.network] : [])];
  const { text, own } = daemonSettings(current, {
    ...{ site, routes, dockerVersion, earlier },
    hasStarted: existsSync(host.path('var/lib/docker')),
  });
  const service: Service = { files: [{ path: daemonSettingsFile, text }] };
  return { text, service, own };
}

async function dockerMajor(host: Host): Promise<number | undefined> {
  try {
    const { stdout } = await host.run('dockerd', ['--version']);
    const major = /version (\d+)\./.exec(stdout)?.[1];
    return major === undefined ? undefined : Number(major);
  } catch (error) {
    if (error instanceof LandfallError && error.code === 'TOOL_MISSING') return undefined;
    throw error;
  }
}

const infoSchema = z.object({
  ServerVersion: z.string().min(1),
  LoggingDriver: z.string(),
  LiveRestoreEnabled: z.boolean(),
});
type DockerInfo = z.infer<typeof infoSchema>;

/**
 * Returns the properties of the running Docker.
 * @throws LandfallError COMMAND_FAILED, DOCKER_UNREACHABLE
 */
async function dockerInfo(host: Host): Promise<DockerInfo> {
  const { stdout } = await host.run('docker', ['info', '--format', '{{json .}}']);
  const parsed = infoSchema.safeParse(JSON.parse(stdout));
  if (parsed.success) return parsed.data;
  throw new LandfallError('DOCKER_UNREACHABLE', 'Docker returned an unexpected response', {
    hint: {
      en: 'Check the service: sudo systemctl status docker; sudo journalctl -u docker',
      zh: '检查服务：sudo systemctl status docker；sudo journalctl -u docker',
    },
  });
}

const routesSchema = z.array(z.object({ dst: z.string() }));

async function routeDestinations(host: Host): Promise<string[]> {
  const { stdout } = await host.run('ip', ['-json', '-4', 'route', 'show', 'table', 'all']);
  return routesSchema.parse(JSON.parse(stdout)).map(({ dst }) => dst);
}

/** First version of dockerd with `--validate`. */
const validatesFrom = 23;

/**
 * Validates proposed settings with dockerd before they replace working ones. Does nothing for old
 * versions.
 * @param path absolute path of the proposed file
 * @throws LandfallError DOCKER_SETTINGS
 */
async function validateSettings(host: Host, path: string): Promise<void> {
  if (((await dockerMajor(host)) ?? 0) < validatesFrom) return;
  try {
    await host.run('dockerd', ['--validate', '--config-file', path]);
  } catch (cause) {
    if (!(cause instanceof LandfallError)) throw cause;
    throw new LandfallError('DOCKER_SETTINGS', 'Docker rejected the settings', {
      hint: {
        en: 'Fix or remove /etc/docker/daemon.json.',
        zh: '修正或删除 /etc/docker/daemon.json。',
      },
      problems: cause.problems,
      cause,
    });
  }
}
