import type { Site } from '#contract/site/site.ts';
import { isFile, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import type { Server } from '../host/server.ts';
import { dockerKey } from './docker-key.ts';

const keyFile = 'etc/apt/keyrings/landfall-docker.asc';
const sourcesFile = 'etc/apt/sources.list.d/landfall-docker.sources';
const home = 'https://download.docker.com/linux';

/** The inputs of the repository settings. */
type Facts = { readonly host: Host; readonly server: Server; readonly site: Site };

/** Returns whether apt has Docker's repository, signed by Docker's key only. */
export async function hasDockerRepository({ host, server, site }: Facts): Promise<boolean> {
  return (
    (await isFile(host, keyFile, dockerKey)) &&
    (await isFile(host, sourcesFile, sourcesText(server, site)))
  );
}

/**
 * Adds Docker's repository or its mirror to apt, with the signing key. The key is part of this
 * program, so a mirror cannot replace it.
 */
export async function addDockerRepository({ host, server, site }: Facts): Promise<void> {
  await writeText(host, keyFile, dockerKey);
  await writeText(host, sourcesFile, sourcesText(server, site));
}

/** Renders the source in deb822 format, which all supported versions of apt read (sources.list(5)). */
export function sourcesText(
  server: Pick<Server, 'distribution' | 'codename'>,
  site: Pick<Site, 'engine'>,
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

function baseOf({ distribution }: Pick<Server, 'distribution'>, { engine }: Pick<Site, 'engine'>) {
  return `${(engine.mirror ?? home).replace(/\/+$/, '')}/${distribution.id}`;
}
