import { chmod, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Release, ReleaseFile } from '#contract/bundle/release.ts';
import { type VerifiedHead, verifyHead } from '#contract/bundle/verify.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { Signer, TrustPolicy } from '#contract/trust/trust.ts';
import { HashedFile } from '#files/hashed-file.ts';
import { type RetryOptions, withRetry } from '#http/retry.ts';
import { TransferError } from '#http/transfer-error.ts';
import {
  defaultRates,
  enforceMinimumRate,
  fromFastestSource,
  type MinimumRate,
} from '../../../server/host/download/minimum-rate.ts';
import type { BundleSource } from '../../../server/host/download/served-bundle.ts';
import { expectSpace, freeSpace } from '../../../server/host/free-space.ts';
import type { Host } from '../../../server/host/host.ts';
import type { Reporter } from '../../../server/stage/reporter.ts';
import {
  beginFolder,
  completeFolder,
  extendFolder,
  folderOf,
  isComplete,
  missingFiles,
  removePartial,
  type UnfinishedFolder,
} from './release-folder.ts';

/** A release to fetch. */
interface WantedRelease {
  readonly version: string;
  /** SHA-256 of its release.json, 64 hex digits. */
  readonly manifest: string;
  /** The bundle on each mirror, or on this server. */
  readonly sources: readonly BundleSource[];
  /**
   * SHA-256 of files to add to the folder of the release, which is complete except for content that
   * this server has elsewhere; undefined: the whole release.
   */
  readonly files?: ReadonlySet<string>;
}

interface FetchOptions {
  readonly host: Host;
  /** Keys, product, architecture and installed version; the manifest is that of the release. */
  readonly policy: TrustPolicy & { readonly arch: Release['arch'] };
  readonly report: Pick<Reporter, 'say' | 'progress'>;
  /** Stores the keys of the release when all of it is verified, before its folder gets its name. */
  readonly trust: (release: Release, signer: Signer) => Promise<void>;
  readonly rates?: typeof defaultRates;
  /** Waits before another attempt; tests shorten it. */
  readonly sleep?: RetryOptions['sleep'];
}

/**
 * Fetches a release into its folder from the first source that has it. Files of releases on this
 * server are linked, and layers and models that Docker and Ollama have are left out; only what is
 * missing is transferred, and a later call continues. Every byte is verified before the folder gets its
 * name.
 * @throws LandfallError BUNDLE_…, BLOB_DIGEST, DISK_FULL, HTTP_STATUS, NETWORK_… of the last source
 */
export async function fetchRelease(wanted: WantedRelease, options: FetchOptions): Promise<void> {
  const { host, report, policy, trust, rates = defaultRates, sleep } = options;
  const folder = folderOf({ version: wanted.version, arch: policy.arch });
  if (!wanted.files && (await isComplete(host, folder, wanted.manifest))) return;
  const { release, signer } = await host.outside.measure(() =>
    fromFastestSource(wanted.sources, rates, async (source, rate) => {
      const fetcher = new Fetcher(wanted, options, source, rate);
      const note = (line: string) => report.say(line);
      const progress = () => fetcher.received;
      const retry = { note, progress, sleep };
      return await withRetry(`fetching ${wanted.version}`, () => fetcher.run(), retry);
    }),
  );
  if (wanted.files) return await removePartial(host, folder);
  await trust(release, signer);
  await completeFolder(host, folder);
}

/** Bytes between two files that are read and dropped instead of sending another request. */
const maxGap = 64 << 10;
/** Bytes that must stay free. */
const reserve = 256 << 20;

/** Fetches from one source. */
class Fetcher {
  /** Bytes that arrived. */
  received = 0;
  readonly #wanted: WantedRelease;
  readonly #options: FetchOptions;
  readonly #source: BundleSource;
  readonly #rate: MinimumRate;

  constructor(
    wanted: WantedRelease,
    options: FetchOptions,
    source: BundleSource,
    rate: MinimumRate,
  ) {
    this.#wanted = wanted;
    this.#options = options;
    this.#source = source;
    this.#rate = rate;
  }

  async run(): Promise<VerifiedHead> {
    const { host, policy, report } = this.#options;
    const { manifest: pinned, files: chosen } = this.#wanted;
    try {
      report.say(
        inLanguage({ en: `reading ${this.#source.name}`, zh: `读取 ${this.#source.name}` }),
      );
      const head = await verifyHead(this.#source.head(), { ...policy, pinned });
      const { files } = head.release;
      const folder = chosen
        ? await extendFolder(host, folderOf(head.release))
        : await beginFolder(host, folderOf(head.release), head.manifest);
      const missing = chosen
        ? files.filter(({ sha256 }) => chosen.has(sha256))
        : await missingFiles(host, folder.files, files);
      await expectSpaceFor(host, folder, missing);
      const total = missing.reduce((sum, { size }) => sum + size, 0);
      let done = 0;
      for (const { file, until } of inRuns(missing)) {
        const [from, to] = [head.headSize + file.offset, head.headSize + until];
        await this.#fetch(file, { folder, from, to }, (size) =>
          report.progress({ done: done + size, total, unit: 'bytes' }),
        );
        done += file.size;
      }
      return head;
    } finally {
      await this.#source.close();
    }
  }

  /** Fetches a file or its rest. @throws LandfallError BLOB_DIGEST */
  async #fetch(
    file: ReleaseFile,
    { folder, from, to }: { folder: UnfinishedFolder; from: number; to: number },
    progress: (bytes: number) => void,
  ): Promise<void> {
    const { host } = this.#options;
    const path = host.path(folder.files, file.path);
    const partial = host.path(folder.partial, file.sha256);
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    const target = await HashedFile.open(partial);
    let continued = 0;
    let digest: string;
    try {
      await target.rehash();
      if (target.length > file.size) await target.restart();
      continued = target.length;
      const content = this.#source.read(from + continued, file.size - continued, to);
      for await (const chunk of enforceMinimumRate(this.#rate, this.#source.name, content)) {
        await target.write(chunk);
        this.received += chunk.length;
        progress(target.length);
      }
      digest = await target.finish();
    } finally {
      await target.close();
    }
    if (digest !== `sha256:${file.sha256}`) {
      await rm(partial, { force: true });
      throw new TransferError('BLOB_DIGEST', `${this.#source.name} has another ${file.path}`, {
        hint: 'Use another mirror, or another copy of the bundle.',
        // The bytes before may be those of another mirror.
        transient: continued > 0,
      });
    }
    await chmod(partial, file.executable ? 0o755 : 0o644);
    await rename(partial, path);
  }
}

/** @throws LandfallError DISK_FULL */
async function expectSpaceFor(
  host: Host,
  { files, partial }: UnfinishedFolder,
  missing: readonly ReleaseFile[],
): Promise<void> {
  const sizes = await Promise.all(
    missing.map(async ({ sha256, size }) => {
      const part = await stat(host.path(partial, sha256)).catch(() => undefined);
      return Math.max(0, size - (part?.size ?? 0));
    }),
  );
  const needed = sizes.reduce((sum, size) => sum + size, 0) + reserve;
  const { free } = await freeSpace(host, files);
  expectSpace({
    needed,
    free,
    message: (all, left) => `the update needs ${all}, but ${left} are free`,
    hint: {
      en: 'Free some space: `landfall doctor` names what is large.',
      zh: '释放空间：`landfall doctor` 会列出占用空间大的内容。',
    },
  });
}

/** A file and the end of the bytes that one request reads with it. */
interface InRun {
  readonly file: ReleaseFile;
  /** Offset after the head. */
  readonly until: number;
}

/** Groups files that are close to each other in the bundle. */
function inRuns(files: readonly ReleaseFile[]): InRun[] {
  const runs: InRun[] = [];
  let next: InRun | undefined;
  for (const file of files.toReversed()) {
    const end = file.offset + file.size;
    const isClose = next !== undefined && next.file.offset - end <= maxGap;
    next = { file, until: isClose && next ? next.until : end };
    runs.push(next);
  }
  return runs.reverse();
}
