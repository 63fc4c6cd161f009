import { randomUUID } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { sbom } from '#contract/bundle/bundle-paths.ts';
import { manifestName, signatureName, sigstoreName } from '#contract/bundle/head.ts';
import { encodeRelease, type Release } from '#contract/bundle/release.ts';
import { releaseName } from '#contract/bundle/release-name.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { publicKeyPem } from '#contract/trust/keys.ts';
import { fileError } from '#files/file-error.ts';
import { replaceFile } from '#files/replace-file.ts';
import { makeFolder } from '../../base/files/folder.ts';
import type { Reporter } from '../../base/progress/reporter.ts';
import type { Statistics } from '../../base/progress/statistics.ts';
import { builderVersion } from '../../base/version.ts';
import type { BlobPrefetch } from '../../inputs/blobs/prefetch.ts';
import type { BlobStore } from '../../inputs/blobs/store.ts';
import type { BuildOrigin } from '../sign/build-origin.ts';
import type { SigningKey } from '../sign/private-key.ts';
import { signRelease } from '../sign/sign-release.ts';
import { statementOf } from '../sign/statement.ts';
import type { BundleEntry } from './entry.ts';
import { filesOfBundle, pathsToRead } from './parts.ts';
import { writeBundle } from './write-bundle.ts';

interface PublishInputs {
  readonly release: Release;
  readonly entries: readonly BundleEntry[];
  readonly output: string;
  readonly lockText: string;
  /** The commit and workflow of a build in CI. */
  readonly origin?: BuildOrigin | undefined;
  /** Maximum size of a file in bytes; undefined: one file. */
  readonly maxPartSize?: number | undefined;
}

interface PublishDeps {
  readonly signer: SigningKey;
  readonly prefetch: BlobPrefetch;
  readonly store: BlobStore;
  readonly statistics: Statistics;
  readonly reporter: Reporter;
}

export interface PublishedBundle {
  readonly release: Release;
  /** The bundle, or its first part. */
  readonly path: string;
  /** Number of files: 1, or the number of parts. */
  readonly fileCount: number;
  /** SHA-256 of release.json, 64 hex digits. */
  readonly manifestSha256: string;
  /** True when the same bundle, signatures aside, already existed. */
  readonly unchanged: boolean;
}

/**
 * Signs a release and writes its bundle into the output folder. The manifest, its signatures, the
 * SBOM and the public key are written next to it, for verification with openssl or cosign. Writes
 * nothing if the folder already contains the same release, unmodified and signed by the same key.
 * @throws LandfallError DISK_FULL, FILE_ACCESS and those of the blobs
 */
export async function publishBundle(
  { release, entries, output, lockText, origin, maxPartSize }: PublishInputs,
  deps: PublishDeps,
): Promise<PublishedBundle> {
  const { signer, prefetch, store } = deps;
  const name = releaseName(release.product, release.version, release.arch);
  const tar = join(output, `${name}.tar`);
  const manifest = encodeRelease(release);
  const manifestSha256 = sha256Hex(manifest);
  const built = new BuiltBundles(store.folder);
  const identity = { manifestSha256, keyId: signer.public.id, maxPartSize };
  if (await built.has(tar, identity)) {
    await prefetch.settled();
    return { release, ...(await foundFiles(tar)), manifestSha256, unchanged: true };
  }
  await makeFolder(output).catch((error: unknown) => {
    throw fileError(error, output);
  });
  const lockSha256 = sha256Hex(lockText);
  const statement = statementOf(release, { builderVersion, lockSha256, origin });
  const head = signRelease(release, statement, signer);
  await writeTar(tar, { release, entries, maxPartSize }, head, deps);
  const beside = [manifestName, signatureName, sigstoreName];
  for (const member of beside) {
    await writeBeside(join(output, `${name}.${member}`), head.get(member) ?? Buffer.alloc(0));
  }
  const document = entries.find((entry) => entry.path === sbom)?.content;
  if (document instanceof Uint8Array) await writeBeside(join(output, `${name}.${sbom}`), document);
  await writeBeside(join(output, 'release.pub'), Buffer.from(publicKeyPem(signer.public)));
  await built.remember(tar, identity);
  return { release, ...(await foundFiles(tar)), manifestSha256, unchanged: false };
}

async function foundFiles(tar: string): Promise<Pick<PublishedBundle, 'path' | 'fileCount'>> {
  const [path = tar, ...others] = await pathsToRead(tar);
  return { path, fileCount: 1 + others.length };
}

async function writeTar(
  path: string,
  { release, entries, maxPartSize }: Pick<PublishInputs, 'release' | 'entries' | 'maxPartSize'>,
  head: ReturnType<typeof signRelease>,
  { prefetch, statistics, reporter }: PublishDeps,
): Promise<void> {
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  const transfer = reporter.transfer(`writing ${release.arch}`, total);
  try {
    await writeBundle(
      path,
      { head, entries, mtime: Date.parse(release.created) / 1000, maxPartSize },
      {
        ready: (digest) => transfer.waitFor(prefetch.ready(digest)),
        statistics,
        onBytes: (bytes) => transfer.advance(bytes),
      },
    );
  } finally {
    transfer.end();
  }
}

async function writeBeside(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await replaceFile(path, bytes);
  } catch (error) {
    throw fileError(error, path);
  }
}

/** What identifies a bundle, besides its files. */
interface BuiltBundle {
  readonly manifestSha256: string;
  /** ID of the signing key. */
  readonly keyId: string;
  /** Bytes; undefined: no limit. */
  readonly maxPartSize?: number | undefined;
}

/**
 * Records the built bundles by path, so that a build without changes writes nothing. A file whose
 * size, time or inode changed counts as not built. So do all files after a reboot, because a power
 * failure can corrupt files that were not synced.
 */
export class BuiltBundles {
  readonly #folder: string;

  constructor(storeFolder: string) {
    this.#folder = join(storeFolder, 'built');
  }

  /**
   * Records that a bundle has this manifest and signing key.
   * @param path path of the whole file, even if the bundle is in parts
   */
  async remember(path: string, bundle: BuiltBundle): Promise<void> {
    const stamp = this.#stampOf(path);
    await makeFolder(dirname(stamp));
    await writeFile(stamp, await textOf(path, bundle));
  }

  /** Returns whether the files of this path are that bundle, without reading them. */
  async has(path: string, bundle: BuiltBundle): Promise<boolean> {
    try {
      const stamp = await readFile(this.#stampOf(path), 'utf8');
      return stamp === (await textOf(path, bundle));
    } catch {
      return false;
    }
  }

  #stampOf(path: string): string {
    return join(this.#folder, sha256Hex(resolve(path)));
  }
}

/** Each file counts, also one that was added. */
async function textOf(
  path: string,
  { manifestSha256, keyId, maxPartSize }: BuiltBundle,
): Promise<string> {
  const files = await filesOfBundle(path);
  const identities = await Promise.all(files.map(identity));
  return `${[manifestSha256, keyId, maxPartSize ?? 'whole', ...identities].join(' ')}\n`;
}

async function identity(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return [await bootId(), dev, ino, size, mtimeNs, ctimeNs].join(':');
}

/** Returns Linux's ID of the current boot (random(4)). Elsewhere it is random, so nothing matches. */
async function bootId(): Promise<string> {
  const id = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => randomUUID());
  return id.trim();
}
