import { type Architecture, releaseName } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { withPort } from '#contract/site/route.ts';
import type { Site } from '#contract/site/site.ts';
import { releaseFolders } from '#contract/site/urls.ts';
import { isExempt } from '#http/no-proxy.ts';
import { type BootstrapFile, bootstrapFiles } from '../../bundle/bootstrap-files.ts';
import { type PinnedRelease, sharedFacts } from '../../bundle/released/pinned-release.ts';

/** A folder to download the release from. */
interface DownloadSource {
  /** Ends with a slash; the bootstrap appends the name of the bundle. */
  readonly url: string;
  /** URL of an HTTP proxy, unless the site exempts the host. */
  readonly proxy?: string;
  /** URL of a SOCKS5 proxy, unless the site exempts the host. */
  readonly socks?: string;
}

/** `boot.json`: the settings of the bootstrap. */
export interface BootSettings {
  readonly product: string;
  readonly version: string;
  /** SHA-256 of release.json by architecture, 64 hex digits. */
  readonly manifests: Partial<Record<Architecture, string>>;
  /** Size of the parts of each bundle in parts, in bytes. Absent if there is none. */
  readonly parts?: Partial<Record<Architecture, number>> | undefined;
  readonly sources: readonly DownloadSource[];
}

/**
 * Returns the settings of the bootstrap: the digests of the release, and its download sources. NO_PROXY
 * is applied here, which keeps the bootstrap small.
 * @throws LandfallError USER_DATA_MISMATCH
 */
export function bootSettings(site: Site, releases: readonly PinnedRelease[]): BootSettings {
  const { product, version } = sharedFacts(releases);
  const manifests = Object.fromEntries(
    releases.map(({ release, manifestSha256 }) => [release.arch, manifestSha256]),
  );
  const sizes = releases.flatMap(({ release: { arch }, partSize }) =>
    partSize === undefined ? [] : [[arch, partSize]],
  );
  const parts = sizes.length > 0 ? Object.fromEntries(sizes) : undefined;
  return { product, version, manifests, parts, sources: downloadSources(site) };
}

/** Returns the sources of the first download, in the order of the site. */
export function downloadSources(site: Site): DownloadSource[] {
  return releaseFolders(site).map((url) => sourceOf(url, site));
}

function sourceOf(text: string, { route }: Site): DownloadSource {
  const url = folderUrl(text);
  // The proxy client is in the bundle, so the bundle itself is downloaded directly, or pushed.
  if (!('url' in route) || isExempt(url, route.no_proxy.join(','))) return { url: url.href };
  const kind = route.mode === 'socks5' ? 'socks' : 'proxy';
  return { url: url.href, [kind]: withPort(route.url) };
}

/** A URL from which a server downloads a bundle. */
export interface ReleaseUrl {
  readonly arch: Architecture;
  /** Name of the bundle, which is the file to upload. */
  readonly name: string;
  readonly url: URL;
  readonly pinned: PinnedRelease;
}

/** Returns the URLs under which every bundle must be reachable, in the order that servers try. */
export function releaseUrls(
  site: Pick<Site, 'release'>,
  releases: readonly PinnedRelease[],
): ReleaseUrl[] {
  return releases.flatMap((pinned) => {
    const { product, version, arch } = pinned.release;
    const name = `${releaseName(product, version, arch)}.tar`;
    return releaseFolders(site).map((folder) => ({
      arch,
      name,
      url: new URL(name, folderUrl(folder)),
      pinned,
    }));
  });
}

/** Returns the URL of a folder, with a slash at its end. */
export function folderUrl(text: string): URL {
  const url = new URL(text);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/** Returns the bootstrap files to embed: `socks5.py` only if a SOCKS5 proxy is used. */
export function embeddedBootstrap({ sources }: BootSettings): BootstrapFile[] {
  const needsSocks = sources.some(({ socks }) => socks !== undefined);
  return bootstrapFiles().filter(({ name }) => name !== 'socks5.py' || needsSocks);
}

/**
 * Compares the embedded files with the checksums in each release.
 * @returns a warning for each release without checksums
 * @throws LandfallError USER_DATA_MISMATCH with every file that differs
 */
export function compareBootstrap(
  embedded: readonly BootstrapFile[],
  releases: readonly PinnedRelease[],
): string[] {
  const problems = releases.flatMap((pinned) => differences(embedded, pinned));
  if (problems.length > 0) {
    throw new LandfallError('USER_DATA_MISMATCH', 'the bootstrap does not match the release', {
      hint: {
        en: 'Run `landfall user-data` with the Landfall version that built the release.',
        zh: '用构建这个版本的 Landfall 运行 `landfall user-data`。',
      },
      problems: problems.map((message) => ({ message })),
    });
  }
  return releases
    .filter(({ release }) => release.bootstrap === undefined)
    .map(
      (pinned) =>
        `the bootstrap cannot be compared: ${nameOf(pinned)} has no checksums of its files`,
    );
}

function differences(embedded: readonly BootstrapFile[], pinned: PinnedRelease): string[] {
  const { bootstrap } = pinned.release;
  if (bootstrap === undefined) return [];
  const named = new Map(bootstrap.map(({ name, sha256 }) => [name, sha256]));
  return embedded
    .filter(({ name, sha256 }) => named.get(name) !== sha256)
    .map(({ name, sha256 }) => {
      const released = named.has(name) ? `requires SHA-256 ${named.get(name)}` : 'does not list it';
      return `${name} has SHA-256 ${sha256}, but ${nameOf(pinned)} ${released}`;
    });
}

function nameOf({ release }: PinnedRelease): string {
  return `${release.product} ${release.version} for ${release.arch}`;
}
