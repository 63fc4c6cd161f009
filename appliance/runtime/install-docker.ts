import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { formatProblem } from '#contract/text/problem.ts';
import type { Host } from '../host/host.ts';
import { installPackages, missingPackages } from '../host/packages/apt.ts';
import { install, isInPlace, remove } from '../host/service.ts';
import type { Context } from '../stage/stage.ts';
import { dockerRepository, repositoryFailure } from './docker-repository.ts';
import { type DockerSource, dockerPackages } from './packages.ts';

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
    `Docker's packages cannot be installed: ${formatProblem(failure)}; using those of the distribution`,
  );
  await remove(context.host, dockerRepository(context));
  await installFrom('distribution', context, pauseMs);
}

/** Warns about a Docker of the distribution that the site did not choose, in every run. */
export async function warnOfDistribution(context: Context): Promise<void> {
  const { report, server, site } = context;
  if (site.docker.source !== 'auto' || (await dockerSource(context)) !== 'distribution') return;
  const { id, version } = server.distribution;
  const text = `Docker is that of ${id} ${version}, because Docker's own packages could not be installed; it gets security fixes later or not at all. Set docker.mirror to a mirror of download.docker.com before you install the next server, or docker.source to distribution to accept it`;
  report.warn({ kind: 'docker', subject: 'docker.io', text });
}

/** Tries to install Docker's own packages. Returns why that failed. */
async function failureOfDocker(
  context: Context,
  pauseMs?: number,
): Promise<LandfallError | undefined> {
  try {
    const failure = await repositoryFailure(context);
    if (failure === undefined) await installFrom('docker', context, pauseMs);
    return failure;
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
    report.say("adding Docker's repository");
    await install(host, dockerRepository(context));
  }
  await installPackages(host, dockerPackages(server, source), (line) => report.say(line), pauseMs);
}
