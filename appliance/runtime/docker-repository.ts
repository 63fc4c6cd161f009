import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site.ts';
import { HttpClient } from '#http/client.ts';
import { withRetry } from '#http/retry.ts';
import { statusError } from '#http/status.ts';
import { networkOptions } from '../host/download.ts';
import { isFile, readText, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import type { Server } from '../host/server.ts';
import { openpgpFingerprint } from './openpgp-fingerprint.ts';

const keyFile = 'etc/apt/keyrings/landfall-docker.asc';
const sourcesFile = 'etc/apt/sources.list.d/landfall-docker.sources';
/** The key that Docker signs its packages with, as its installation guide names it. */
const dockerFingerprint = '9DC858229FC7DD38854AE2D88D81803C0EBFCD88';
const home = 'https://download.docker.com/linux';
const largestKey = 64 << 10;

/** What adding the repository depends on. */
type Facts = { readonly host: Host; readonly server: Server; readonly site: Site };

/** Whether apt knows Docker's own repository already, and with the right key. */
export async function hasDockerRepository({ host, server, site }: Facts): Promise<boolean> {
  const key = await readText(host, keyFile);
  const known = key !== undefined && openpgpFingerprint(Buffer.from(key)) === dockerFingerprint;
  return known && (await isFile(host, sourcesFile, sourcesText(server, site)));
}

/**
 * Gives apt Docker's own repository, or its mirror. The key is taken from the same place and
 * believed for its fingerprint alone.
 * @throws LandfallError NETWORK_…, HTTP_STATUS, ENGINE_SETTINGS for another key
 */
export async function addDockerRepository({ host, server, site }: Facts): Promise<void> {
  const key = await host.outside.measure(() => fetchKey(site, `${baseOf(server, site)}/gpg`));
  if (openpgpFingerprint(key) !== dockerFingerprint) {
    throw new LandfallError(
      'ENGINE_SETTINGS',
      "the place named for Docker's packages has another key",
      {
        hint: `Its fingerprint must be ${dockerFingerprint}. Use another mirror, or the distribution's engine.`,
      },
    );
  }
  await writeText(host, keyFile, key);
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

async function fetchKey(site: Site, url: string): Promise<Buffer> {
  const client = new HttpClient(networkOptions(site));
  try {
    return await withRetry("fetching Docker's key", async () => {
      const response = await client.request({ url: new URL(url) });
      if (response.status === 200) return await response.bytes(largestKey);
      await response.discard();
      throw statusError(response, "fetching Docker's key");
    });
  } finally {
    await client.close();
  }
}
