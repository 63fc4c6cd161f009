import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { HttpClient } from '#http/client.ts';
import { withRetry } from '#http/retry.ts';
import { safeUrl } from '#http/safe-url.ts';
import { statusError } from '#http/status.ts';
import { networkOptions } from '../host/download/download.ts';
import { isFile, readText, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import type { Server } from '../host/server.ts';
import { type OpenpgpKey, readOpenpgpKey } from './openpgp-key.ts';

const keyFile = 'etc/apt/keyrings/landfall-docker.asc';
const sourcesFile = 'etc/apt/sources.list.d/landfall-docker.sources';
/** The key that Docker signs its packages with, as its installation guide names it. */
const dockerFingerprint = '9DC858229FC7DD38854AE2D88D81803C0EBFCD88';
const home = 'https://download.docker.com/linux';
const largestKey = 64 << 10;
/** For the few kilobytes of the key, retries included: a place that sends a byte now and then is none. */
const keyMilliseconds = 45_000;

/** What adding the repository depends on. */
type Facts = { readonly host: Host; readonly server: Server; readonly site: Site };

/** Whether apt knows Docker's own repository already, and with the right key alone. */
export async function hasDockerRepository({ host, server, site }: Facts): Promise<boolean> {
  const key = await readText(host, keyFile);
  const known = key !== undefined && dockersKey(Buffer.from(key))?.text === key;
  return known && (await isFile(host, sourcesFile, sourcesText(server, site)));
}

/**
 * Gives apt Docker's own repository, or its mirror. The key is taken from the same place and
 * believed for its fingerprint alone; only what was judged reaches apt.
 * @param milliseconds how long fetching the key may take in all
 * @throws LandfallError NETWORK_…, HTTP_STATUS, ENGINE_SETTINGS for another key
 */
export async function addDockerRepository(
  { host, server, site }: Facts,
  milliseconds = keyMilliseconds,
): Promise<void> {
  const url = `${baseOf(server, site)}/gpg`;
  const file = await host.outside.measure(() => fetchKey(site, url, milliseconds));
  const key = dockersKey(file);
  if (!key) {
    throw new LandfallError(
      'ENGINE_SETTINGS',
      "the place named for Docker's packages has another key",
      {
        hint: `It must be one key with the fingerprint ${dockerFingerprint}. Use another mirror, or the distribution's engine.`,
      },
    );
  }
  await writeText(host, keyFile, key.text);
  await writeText(host, sourcesFile, sourcesText(server, site));
}

function dockersKey(file: Buffer): OpenpgpKey | undefined {
  const key = readOpenpgpKey(file);
  return key?.fingerprint === dockerFingerprint ? key : undefined;
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

async function fetchKey(site: Site, url: string, milliseconds: number): Promise<Buffer> {
  const signal = AbortSignal.timeout(milliseconds);
  const client = new HttpClient(networkOptions(site));
  const attempt = async () => {
    const response = await client.request({ url: new URL(url), signal });
    if (response.status === 200) return await response.bytes(largestKey);
    await response.discard();
    throw statusError(response, "fetching Docker's key");
  };
  try {
    return await withRetry("fetching Docker's key", attempt, { signal });
  } catch (error) {
    throw signal.aborted ? tooSlow(url, milliseconds) : error;
  } finally {
    await client.close();
  }
}

function tooSlow(url: string, milliseconds: number): LandfallError {
  const message = `${safeUrl(new URL(url))} did not give Docker's key within ${milliseconds / 1000} seconds`;
  return new LandfallError('NETWORK_TIMEOUT', message, {
    hint: "It is tried again by itself. Name a nearer engine.mirror in the site, or use the distribution's engine.",
  });
}
