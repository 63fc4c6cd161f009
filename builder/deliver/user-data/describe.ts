import { bootFolder, bootUnitFile } from '#contract/server-paths.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatKeyId, type TrustedKeys } from '#contract/trust/keys.ts';
import { safeUrl } from '#http/safe-url.ts';
import type { PinnedRelease } from '../../bundle/released/pinned-release.ts';
import type { ReleaseUrl } from './boot-settings.ts';
import type { UrlCheck } from './check-urls.ts';
import type { RenderedUserData } from './render.ts';

/** What `landfall user-data` made, and the URLs that its server will use. */
export interface UserDataResult {
  /** Output file; - for standard output. */
  readonly path: string;
  readonly releases: readonly PinnedRelease[];
  readonly keys: TrustedKeys;
  readonly rendered: RenderedUserData;
  readonly warnings: readonly string[];
  readonly urls: readonly ReleaseUrl[];
  /** Undefined if the URLs were not checked. */
  readonly checks: readonly UrlCheck[] | undefined;
  /** The release that was downloaded; undefined for files of the user. */
  readonly packaged: { readonly keyPage?: string | undefined } | undefined;
}

/** Formats the result as a table: the file, its trust, and the files to upload. */
export function describeUserData(result: UserDataResult): string {
  const { path, releases, keys, rendered, urls, checks, packaged } = result;
  const [first] = releases;
  const architectures = releases.map(({ release }) => release.arch).join(' and ');
  return formatTable([
    ['release', `${first?.release.product} ${first?.release.version} for ${architectures}`],
    ...keys.release.map(({ id }) => ['trusts', `${formatKeyId(id)}  (release key)`]),
    ...(keys.recovery ? [['trusts', `${formatKeyId(keys.recovery.id)}  (recovery key)`]] : []),
    ...(packaged ? [['compare', `these key ids with ${packaged.keyPage ?? secondSource}`]] : []),
    ...rendered.bootstrap.map(({ name, sha256 }) => ['embeds', `${sha256}  ${name}`]),
    ['compare', 'with the SHA-256 of `landfall inspect`; to print those on the server:'],
    ['', `sha256sum /${bootFolder}/* /${bootUnitFile}`],
    ...(checks
      ? checks.map(checkedRow)
      : [...urls.map(packaged ? sourceRow : uploadRow), ...(urls.length > 0 ? [checkHint] : [])]),
    ['user-data', `${path}, ${rendered.bytes.length} bytes`],
    ...(path !== '-' && isReady(checks) ? [nextRow(path, rendered)] : []),
    // A site with `release: push` has no URLs.
    ...(urls.length === 0 ? [['send', 'the bundle then: landfall push <user>@<server>']] : []),
  ]);
}

function nextRow(path: string, { format }: RenderedUserData): string[] {
  return format === 'shell'
    ? [
        'run',
        `${path} as root on the new server, such as with the command assistant of the console`,
      ]
    : ['paste', `${path} when you create the server`];
}

const secondSource = 'a second source of the project, such as its website';

const checkHint = ['', 'to test these URLs, add --check-urls'];

function isReady(checks: readonly UrlCheck[] = []): boolean {
  return checks.every(({ state }) => state === 'served');
}

function uploadRow(file: ReleaseUrl): string[] {
  return ['upload', `${file.name}${partsOf(file)}  to  ${urlText(file)}`];
}

function sourceRow(file: ReleaseUrl): string[] {
  return ['downloads', urlText(file)];
}

/** Returns the URL; for a bundle in parts with a placeholder for their numbers. */
function urlText(file: ReleaseUrl): string {
  return safeUrl(file.url) + partsOf(file);
}

function partsOf({ pinned }: ReleaseUrl): string {
  return pinned.partSize === undefined ? '' : '.*';
}

/** Returns the row of a checked URL. */
export function checkedRow(check: UrlCheck): string[] {
  if (check.state === 'not-served') return ['failed', urlText(check)];
  const size = check.size === undefined ? 'unknown size' : formatBytes(check.size);
  const resuming = check.isResumable
    ? 'downloads can be resumed'
    : 'interrupted downloads start over: the server does not support ranges';
  return ['serves', `${urlText(check)}  ${size}, ${resuming}`];
}

/** Returns the result for `--json`. */
export function userDataJson(result: UserDataResult): object {
  const { path, releases, keys, rendered, warnings, urls, checks } = result;
  return {
    path,
    size: rendered.bytes.length,
    format: rendered.format,
    manifests: Object.fromEntries(
      releases.map(({ release, manifestSha256 }) => [release.arch, manifestSha256]),
    ),
    keyIds: keys.release.map(({ id }) => id),
    recoveryKeyId: keys.recovery?.id ?? null,
    bootstrap: rendered.bootstrap.map(({ name, sha256 }) => ({ name, sha256 })),
    urls: checks ? checks.map(checkJson) : urls.map(urlJson),
    warnings,
  };
}

function urlJson({ arch, name, url, pinned: { partSize } }: ReleaseUrl): object {
  return { arch, file: name, url: safeUrl(url), partSize };
}

function checkJson(check: UrlCheck): object {
  const { state } = check;
  if (state === 'not-served') return { ...urlJson(check), state };
  return { ...urlJson(check), state, size: check.size ?? null, isResumable: check.isResumable };
}
