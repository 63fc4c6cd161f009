import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { HttpClient } from '#http/client.ts';
import { networkOptions } from '../host/download/download.ts';
import type { Host } from '../host/host.ts';
import type { Server } from '../host/server.ts';
import type { Service } from '../host/service.ts';
import { dockerKey } from './docker-key.ts';

const keyFile = 'etc/apt/keyrings/landfall-docker.asc';
const sourcesFile = 'etc/apt/sources.list.d/landfall-docker.sources';
const home = 'https://download.docker.com/linux';
/** Milliseconds. A repository that takes longer would make the installation take hours. */
const answerWithin = 15_000;

/** The inputs of the repository settings. */
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
 * Requests the index of the repository over the site's route. Returns why it cannot be used; undefined
 * if it answers in time. apt verifies its signature.
 */
export async function repositoryFailure({
  host,
  server,
  site,
}: Facts): Promise<LandfallError | undefined> {
  const url = new URL(`${baseOf(server, site)}/dists/${server.codename}/InRelease`);
  const client = new HttpClient(networkOptions(site));
  try {
    return await host.outside.measure(() => failureOf(client, url));
  } finally {
    await client.close();
  }
}

async function failureOf(client: HttpClient, url: URL): Promise<LandfallError | undefined> {
  try {
    const response = await client.request({ url, signal: AbortSignal.timeout(answerWithin) });
    await response.discard();
    if (response.status === 200) return undefined;
    return unusable(url, `status ${response.status}`);
  } catch (error) {
    if (error instanceof LandfallError) return error;
    if (error instanceof DOMException) return unusable(url, 'no response in time');
    throw error;
  }
}

function unusable({ host }: URL, cause: string): LandfallError {
  return new LandfallError('HTTP_STATUS', `${host}: ${cause}`, {
    hint: 'Set docker.mirror in the site to a mirror of https://download.docker.com/linux.',
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
