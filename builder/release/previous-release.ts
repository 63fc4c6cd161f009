import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { sbom } from '#contract/bundle/bundle-paths.ts';
import { headMembers, manifestName, signatureName } from '#contract/bundle/head.ts';
import { LandfallError } from '#contract/errors.ts';
import type { HttpClient } from '#http/client.ts';
import { downloadBytes } from '../sources/download-bytes.ts';

/** A previous release on this machine. */
interface LocalRelease extends AsyncDisposable {
  readonly path: string;
  /** Whether it was downloaded, so that its signature must be verified. */
  readonly isDownloaded: boolean;
}

/** Limit of the SBOM in bytes. */
const maxSbom = 64 * 1024 * 1024;

/**
 * Returns a previous release as a file. A URL of a `….release.json` is downloaded with its signature
 * and, if it is served, its SBOM.
 * @throws LandfallError USAGE for another URL; NETWORK_…, HTTP_…
 */
export async function openPrevious(source: string, http: HttpClient): Promise<LocalRelease> {
  if (!/^https?:\/\//.test(source)) {
    return { path: source, isDownloaded: false, async [Symbol.asyncDispose]() {} };
  }
  const url = URL.canParse(source) ? new URL(source) : undefined;
  const name = url && basename(url.pathname);
  if (!url || !name?.endsWith(`.${manifestName}`)) {
    throw new LandfallError('USAGE', `--previous ${source} is not the URL of a release.json`, {
      hint: `Use the URL of a file such as landfall-1.2.0-amd64.${manifestName}.`,
    });
  }
  const folder = await mkdtemp(join(tmpdir(), 'landfall-previous-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const base = name.slice(0, -manifestName.length);
    for (const member of [manifestName, signatureName]) {
      const bytes = await downloadBytes(new URL(`${base}${member}`, url), limitOf(member), {
        http,
      });
      await writeFile(join(folder, `${base}${member}`), bytes);
    }
    const document = await downloadIfServed(http, new URL(`${base}${sbom}`, url));
    if (document) await writeFile(join(folder, `${base}${sbom}`), document);
    return { path: join(folder, name), isDownloaded: true, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

function limitOf(member: string): number {
  return headMembers.find(({ name }) => name === member)?.maxBytes ?? 0;
}

async function downloadIfServed(http: HttpClient, url: URL): Promise<Uint8Array | undefined> {
  try {
    return await downloadBytes(url, maxSbom, { http });
  } catch (error) {
    if (error instanceof LandfallError && error.code === 'HTTP_STATUS') return undefined;
    throw error;
  }
}
