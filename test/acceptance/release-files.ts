import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeRelease } from '#contract/bundle/decode-release.ts';
import { manifestName } from '#contract/bundle/head.ts';
import type { Architecture } from '#contract/bundle/release-name.ts';
import { HttpClient } from '#http/client.ts';

/** A release to accept. */
export interface ReleaseFiles {
  /** Path of release.json for the architecture; release.pub is beside it. */
  readonly manifest: string;
  /** Folder whose files the server downloads, or the URL that it downloads them from. */
  readonly source: { readonly folder: string } | { readonly url: string };
}

const maxManifestBytes = 8 * 1024 * 1024;

/**
 * Finds a release in a folder, or downloads its manifest and its public key.
 * @param where folder, or URL of a release.json
 * @throws Error when the folder does not have exactly one release of the architecture
 */
export async function releaseFiles(
  where: string,
  arch: Architecture,
  work: string,
): Promise<ReleaseFiles> {
  if (/^https?:/.test(where)) return await downloaded(new URL(where), work);
  const names = (await readdir(where)).filter((name) => name.endsWith(`.${manifestName}`));
  const found: string[] = [];
  for (const name of names) {
    const release = decodeRelease(await readFile(join(where, name)));
    if (release.arch === arch) found.push(join(where, name));
  }
  const [manifest] = found;
  if (!manifest || found.length > 1) {
    throw new Error(`${where} has ${found.length} releases for ${arch}`);
  }
  return { manifest, source: { folder: where } };
}

/** `landfall user-data` verifies the signature, which is beside the manifest too. */
async function downloaded(url: URL, work: string): Promise<ReleaseFiles> {
  const name = url.pathname.split('/').at(-1) ?? '';
  const folder = join(work, 'release');
  await mkdir(folder, { recursive: true });
  const http = new HttpClient();
  try {
    for (const file of [name, `${name}.sig`, 'release.pub']) {
      const response = await http.send({ url: new URL(file, url) });
      const bytes = await response.bytes(maxManifestBytes);
      if (response.status !== 200) throw new Error(`${file}: status ${response.status}`);
      await writeFile(join(folder, file), bytes);
    }
  } finally {
    await http.close();
  }
  return { manifest: join(folder, name), source: { url: new URL('.', url).href } };
}
