import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { formatProblem } from '#contract/text/problem.ts';
import { HttpClient } from '#http/client.ts';
import { networkOptions } from '../../server/host/download/download.ts';
import type { Host } from '../../server/host/host.ts';
import { installPackages, missingPackages } from '../../server/host/packages/apt.ts';
import type { Server } from '../../server/host/server.ts';
import { install, isInPlace, remove, type Service } from '../../server/host/service.ts';
import type { Context } from '../../server/stage/stage.ts';
import { dockerKey } from './docker-key.ts';

/**
 * Returns the source of Docker: that of the site, or with `auto` that of the installed Docker. It is
 * undefined with `auto` if none is installed: then {@link installDocker} decides.
 */
export async function dockerSource({
  host,
  site,
}: {
  readonly host: Host;
  readonly site: Pick<Site, 'docker'>;
}): Promise<DockerSource | undefined> {
  if (site.docker.source !== 'auto') return site.docker.source;
  const missing = await missingPackages(host, ['docker-ce', 'docker.io']);
  if (!missing.includes('docker-ce')) return 'docker';
  return missing.includes('docker.io') ? undefined : 'distribution';
}

/**
 * Installs Docker. With `auto`, the packages of Docker Inc. are installed, or those of the
 * distribution if the repository does not answer or the installation fails.
 * @param pauseMs milliseconds between attempts of apt
 * @throws LandfallError APT_FAILED
 */
export async function installDocker(context: Context, pauseMs?: number): Promise<void> {
  const source = await dockerSource(context);
  if (source !== undefined) return await installFrom(source, context, pauseMs);
  const failure = await failureOfDocker(context, pauseMs);
  if (failure === undefined) return;
  context.report.say(
    inLanguage({
      en: `Docker's packages cannot be installed: ${formatProblem(failure)}; using those of the distribution`,
      zh: `无法安装 Docker 官方的软件包：${formatProblem(failure)}；改用发行版的软件包`,
    }),
  );
  await remove(context.host, dockerRepository(context));
  await installFrom('distribution', context, pauseMs);
}

/** Warns about a Docker of the distribution that the site did not choose, in every run. */
export async function warnOfDistribution(context: Context): Promise<void> {
  const { report, server, site } = context;
  if (site.docker.source !== 'auto' || (await dockerSource(context)) !== 'distribution') return;
  const { id, version } = server.distribution;
  const text = {
    en: `Docker is that of ${id} ${version}, because Docker's own packages could not be installed; it gets security fixes later or not at all. Set docker.mirror to a mirror of download.docker.com before you install the next server, or docker.source to distribution to accept it`,
    zh: `Docker 来自发行版 ${id} ${version}，因为无法安装 Docker 官方的软件包；它的安全修复较晚，或者没有。安装下一台服务器之前，把 docker.mirror 设为 download.docker.com 的镜像源；要接受现状，把 docker.source 设为 distribution`,
  };
  report.warn({ kind: 'docker', subject: 'docker.io', text });
}

async function failureOfDocker(
  context: Context,
  pauseMs?: number,
): Promise<LandfallError | undefined> {
  try {
    await expectRepository(context);
    await installFrom('docker', context, pauseMs);
    return undefined;
  } catch (error) {
    if (error instanceof LandfallError) return error;
    throw error;
  }
}

async function installFrom(
  source: DockerSource,
  context: Context,
  pauseMs?: number,
): Promise<void> {
  const { host, server, report } = context;
  if (source === 'docker' && !(await isInPlace(host, dockerRepository(context)))) {
    report.say(inLanguage({ en: "adding Docker's repository", zh: '添加 Docker 官方的软件源' }));
    await install(host, dockerRepository(context));
  }
  await installPackages(host, dockerPackages(server, source), (line) => report.say(line), pauseMs);
}

/** Who packages Docker: Docker Inc. or the distribution. */
type DockerSource = 'docker' | 'distribution';

const fromDocker = ['docker-ce', 'docker-ce-cli', 'containerd.io'];

/**
 * Returns the packages of Docker. Debian 13 moved the command `docker` from docker.io to docker-cli.
 */
export function dockerPackages(
  { distribution: { id, version } }: Pick<Server, 'distribution'>,
  source: DockerSource,
): string[] {
  const common = ['iptables', 'ca-certificates'];
  if (source === 'docker') return [...fromDocker, ...common];
  const cli = id === 'debian' && Number(version) >= 13 ? ['docker-cli'] : [];
  return ['docker.io', ...cli, ...common];
}

const keyFile = 'etc/apt/keyrings/landfall-docker.asc';
const sourcesFile = 'etc/apt/sources.list.d/landfall-docker.sources';
const home = 'https://download.docker.com/linux';
/** Milliseconds. A repository that takes longer would make the installation take hours. */
const answerWithin = 15_000;

type Facts = { readonly host: Host; readonly server: Server; readonly site: Site };

/**
 * Returns Docker's repository or its mirror, signed by Docker's key only. The key is part of this
 * program, so a mirror cannot replace it.
 */
export function dockerRepository({ server, site }: Omit<Facts, 'host'>): Service {
  return {
    files: [
      { path: keyFile, text: dockerKey },
      { path: sourcesFile, text: sourcesText(server, site) },
    ],
  };
}

/**
 * Requests the index of the repository over the site's route. apt verifies its signature.
 * @throws LandfallError NETWORK_…, HTTP_STATUS when the repository cannot be used
 */
async function expectRepository({ host, server, site }: Facts): Promise<void> {
  const url = new URL(`${baseOf(server, site)}/dists/${server.codename}/InRelease`);
  await using client = new HttpClient(networkOptions(site));
  const response = await host.outside.measure(() => client.send({ url, timeout: answerWithin }));
  await response.discard();
  if (response.status === 200) return;
  throw new LandfallError('HTTP_STATUS', `${url.host} responded with status ${response.status}`, {
    hint: {
      en: 'Set docker.mirror in the site to a mirror of https://download.docker.com/linux.',
      zh: '在站点中把 docker.mirror 设为 https://download.docker.com/linux 的镜像源。',
    },
  });
}

/** Renders the source in deb822 format, which all supported versions of apt read (sources.list(5)). */
export function sourcesText(
  server: Pick<Server, 'distribution' | 'codename'>,
  site: Pick<Site, 'docker'>,
): string {
  return [
    'Types: deb',
    `URIs: ${baseOf(server, site)}`,
    `Suites: ${server.codename}`,
    'Components: stable',
    `Signed-By: /${keyFile}`,
    '',
  ].join('\n');
}

function baseOf({ distribution }: Pick<Server, 'distribution'>, { docker }: Pick<Site, 'docker'>) {
  return `${(docker.mirror ?? home).replace(/\/+$/, '')}/${distribution.id}`;
}
