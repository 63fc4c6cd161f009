import { resolve } from 'node:path';
import semver from 'semver';
import type { Release } from '#contract/bundle/release.ts';
import { withoutPart } from '#contract/bundle/release-name.ts';
import { verifyHead } from '#contract/bundle/verify.ts';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatKeyId, type PublicKey, trustedKeysOf } from '#contract/trust/keys.ts';
import { anchorAfter, refuseBelowFloor } from '#contract/trust/rotation.ts';
import { checkRelease } from '#contract/trust/trust.ts';
import { HttpClient } from '#http/client.ts';
import { withRetry } from '#http/retry.ts';
import { networkOptions } from '../../../server/host/download/download.ts';
import { partSizeAt } from '../../../server/host/download/served-bundle.ts';
import { ensureTrustAnchor } from '../../../server/host/trust-anchor.ts';
import type { Context } from '../../../server/stage/stage.ts';
import { compareReleases } from '../check-updates.ts';
import { changeRows, type ReleaseChanges, versionRow } from '../last-check.ts';
import type { BundleLocation, NextRelease } from '../mirror.ts';
import { sourcesOf } from './stage-release.ts';

/** A release that the administrator names by its bundle, whose head is verified. */
interface NamedBundle {
  readonly next: NextRelease;
  readonly release: Release;
  readonly changes: ReleaseChanges;
  /** The bundle, as messages name it. */
  readonly name: string;
  readonly signer: PublicKey;
}

type BundleContext = Pick<Context, 'host' | 'site' | 'release'> & {
  /** Prints a line for each retry. */
  readonly note: (line: string) => void;
};

/**
 * Reads the head of a bundle and verifies it with the keys of this server. No channel is needed: the
 * signature decides. The files are verified when they are copied.
 * @param name path of a file or of its first part, or a URL
 * @throws LandfallError BUNDLE_…; BUNDLE_ROLLBACK for a release that is not newer than the installed
 *   one; FILE_MISSING, HTTP_STATUS, NETWORK_…, USAGE
 */
export async function readNamedBundle(
  { host, site, release: installed, note }: BundleContext,
  name: string,
): Promise<NamedBundle> {
  const anchor = await ensureTrustAnchor(host);
  const { product, arch } = installed;
  const policy = { keys: trustedKeysOf(anchor), product, arch };
  const client = new HttpClient(networkOptions(site));
  try {
    const bundle = await withRetry('reading the bundle', () => locate(name, client), { note });
    const [source] = sourcesOf(bundle, client);
    if (!source) throw new Error('a named bundle has one source');
    const read = () => verifyHead(source.head(), policy).finally(() => source.close());
    const { release, signer, manifestSha256 } = await withRetry('reading the bundle', read, {
      note,
    });
    refuseOlder(release.version, installed.version);
    refuseBelowFloor(anchor, release.version);
    checkRelease(release, signer, { ...policy, installed: installed.version });
    // Refuses revoked keys before the download, which stores the anchor.
    anchorAfter(anchor, release, signer);
    const changes = compareReleases(installed, release, site);
    const { components, disk } = changes;
    const next = { version: release.version, manifest: manifestSha256, components, disk, bundle };
    return { next, release, changes, name: source.name, signer: signer.key };
  } finally {
    await client.close();
  }
}

async function locate(name: string, client: HttpClient): Promise<BundleLocation> {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(name)) return { file: resolve(name) };
  const url = URL.parse(name);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new LandfallError('USAGE', `not the URL of a bundle: ${JSON.stringify(name)}`, {
      hint: { en: 'Use http or https.', zh: '使用 http 或 https。' },
    });
  }
  if (!url.href.endsWith('.tar.000')) return { urls: [url], part: null };
  return { urls: [new URL(withoutPart(url.href))], part: await partSizeAt(client, url) };
}

function refuseOlder(version: string, installed: string): void {
  if (semver.lte(version, installed)) {
    const message =
      version === installed
        ? `${version} is installed already`
        : `${version} is older than ${installed}`;
    throw new LandfallError('BUNDLE_ROLLBACK', message, {
      hint: {
        en: 'To go back to the release before this one, run `sudo landfall update rollback`.',
        zh: '要回到上一个版本，请运行 `sudo landfall update rollback`。',
      },
    });
  }
}

/** Formats a release that the administrator named as a table. @param installed its version */
export function describeBundle({ release, changes, name, signer }: NamedBundle, installed: string) {
  const say = (en: string, zh: string) => inLanguage({ en, zh });
  return formatTable([
    [say('installed', '已安装'), installed],
    versionRow(release),
    [say('bundle', '发布包'), plainLine(name, 1000)],
    ...changeRows(say('new data', '新增数据'), changes),
    [say('signed by', '签名密钥'), formatKeyId(signer.id)],
  ]);
}
