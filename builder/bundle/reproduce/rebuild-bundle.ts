import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Release } from '#contract/bundle/release.ts';
import { verifyHead } from '#contract/bundle/verify.ts';
import { LandfallError } from '#contract/errors.ts';
import { areEqual } from '#contract/text/bytes.ts';
import type { TrustedKeys } from '#contract/trust/keys.ts';
import { orFileError } from '#files/file-error.ts';
import { makeFolder } from '../../base/files/folder.ts';
import type { Reporter } from '../../base/progress/reporter.ts';
import type { BlobPrefetch } from '../../inputs/blobs/prefetch.ts';
import type { BundleEntry } from '../archive/entry.ts';
import { openBundle } from '../archive/open-bundle.ts';
import { headOfBundle } from '../archive/unverified-head.ts';
import { writeBundle } from '../archive/write-bundle.ts';
import type { BuildContext } from '../build-context.ts';

interface RebuildInputs {
  /** Path of the published bundle. */
  readonly published: string;
  /** Path of the bundle to write. */
  readonly output: string;
  readonly release: Release;
  readonly entries: readonly BundleEntry[];
  /** The bytes of release.json. */
  readonly manifest: Uint8Array;
  /** The keys of which one must have signed the head of the published bundle. */
  readonly keys: TrustedKeys;
}

type RebuildDeps = Pick<BuildContext, 'reporter' | 'statistics'> & {
  readonly prefetch: BlobPrefetch;
};

/** A bundle with the bytes of the published one. */
export interface RebuiltBundle {
  readonly path: string;
  /** 64 hex digits. */
  readonly sha256: string;
}

/**
 * Writes a bundle with the head of the published one, because signatures are randomised, and compares
 * the SHA-256 of both. A bundle that differs stays, for comparison.
 * @throws LandfallError FILE_EXISTS, BUNDLE_DIFFERS; BUNDLE_… for a head that cannot be read; and those
 * of blobs and files
 */
export async function rebuildBundle(
  { published, output, release, entries, manifest, keys }: RebuildInputs,
  { reporter, statistics, prefetch }: RebuildDeps,
): Promise<RebuiltBundle> {
  if (existsSync(output)) {
    throw new LandfallError('FILE_EXISTS', `${output} already exists`, {
      hint: 'Choose another folder with --output.',
    });
  }
  const { members, mtime, manifest: found } = await headOfBundle(published);
  if (!areEqual(found, manifest)) {
    throw differs(`${published} has another release.json`, []);
  }
  await verifyPublished(published, keys, reporter);
  await orFileError(dirname(output), makeFolder(dirname(output)));
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  const transfer = reporter.transfer(`writing ${release.arch}`, total);
  try {
    const ready = (digest: Parameters<typeof prefetch.ready>[0]) =>
      transfer.waitFor(prefetch.ready(digest));
    const onBytes = (bytes: number) => transfer.advance(bytes);
    await writeBundle(output, { head: members, entries, mtime }, { ready, statistics, onBytes });
  } finally {
    transfer.end();
  }
  const [before, after] = [await sha256Of(published, reporter), await sha256Of(output, reporter)];
  if (before === after) return { path: output, sha256: after };
  throw differs(`${output} differs from ${published}`, [
    `published: ${before}`,
    `built:     ${after}`,
  ]);
}

/** Verifies the head, because it becomes that of the new bundle. @throws LandfallError BUNDLE_… */
async function verifyPublished(path: string, keys: TrustedKeys, reporter: Reporter): Promise<void> {
  await using bundle = await openBundle(path, reporter);
  await verifyHead(bundle.content, { keys, allowNewKeys: true });
}

async function sha256Of(path: string, reporter: Reporter): Promise<string> {
  await using bundle = await openBundle(path, reporter);
  const hash = createHash('sha256');
  for await (const chunk of bundle.content) hash.update(chunk);
  return hash.digest('hex');
}

function differs(found: string, problems: readonly string[]): LandfallError {
  return new LandfallError('BUNDLE_DIFFERS', `the bundle is not reproduced: ${found}`, {
    hint: 'Run `landfall verify` on the published bundle; it may be damaged.',
    problems: problems.map((message) => ({ message })),
  });
}
