import type { Site } from '#contract/site/site.ts';
import { isFile, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import type { Server } from '../host/server.ts';
import { dockerKey } from './docker-key.ts';

const keyFile = 'etc/apt/keyrings/landfall-docker.asc';
const sourcesFile = 'etc/apt/sources.list.d/landfall-docker.sources';
const home = 'https://download.docker.com/linux';

/** What adding the repository depends on. */
type Facts = { readonly host: Host; readonly server: Server; readonly site: Site };

/** Whether apt knows Docker's own repository already, and with Docker's key alone. */
export async function hasDockerRepository({ host, server, site }: Facts): Promise<boolean> {
  return (
    (await isFile(host, keyFile, dockerKey)) &&
    (await isFile(host, sourcesFile, sourcesText(server, site)))
  );
}

/**
 * Gives apt Docker's own repository, or its mirror, and the key that signs both. The key is part of
 * this program: a mirror cannot replace it.
 */
export async function addDockerRepository({ host, server, site }: Facts): Promise<void> {
  await writeText(host, keyFile, dockerKey);
  await writeText(host, sourcesFile, sourcesText(server, site));
}

/** deb822, which every supported apt reads (sources.list(5)). */
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
