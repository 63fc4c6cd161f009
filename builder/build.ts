import type { Architecture } from '#contract/bundle/release-name.ts';
import { freeDisk } from './base/files/folder.ts';
import { architectureOf } from './base/platform.ts';
import { type PublishedBundle, publishBundle } from './bundle/archive/publish-bundle.ts';
import { trustedKeys } from './bundle/archive/trusted-keys.ts';
import type { BuildContext } from './bundle/build-context.ts';
import { planRelease } from './bundle/plan-release.ts';
import { type InputOptions, readInputs, type SelectedContent } from './bundle/release-inputs.ts';
import type { BuildOrigin } from './bundle/sign/build-origin.ts';
import type { SigningKey } from './bundle/sign/private-key.ts';
import { BlobPrefetch } from './inputs/blobs/prefetch.ts';
import { bundleSizes, describeBundleSizes, lockedPlatforms } from './inputs/lock/bundle-sizes.ts';
import { encodeLock } from './inputs/lock/lock-file.ts';

interface BuildOptions extends Omit<InputOptions, 'keysOf'> {
  /** Absent: every platform of the appliance. */
  readonly archs?: readonly Architecture[] | undefined;
  /** Output folder. */
  readonly output: string;
  /** Whether the release announces only the signing key, even if the appliance names keys. */
  readonly announceSigner?: boolean | undefined;
  /** Maximum size of a file in bytes; a larger bundle is written in parts. */
  readonly maxPartSize?: number | undefined;
  /** SOURCE_DATE_EPOCH in seconds; absent: the time in the lock. */
  readonly sourceDateEpoch?: number | undefined;
  /** The commit and workflow of a build in CI, for the provenance. */
  readonly origin?: BuildOrigin | undefined;
}

/**
 * Builds signed bundles from an appliance, one per architecture. Reads the inputs (appliance,
 * stack, keys, lock), then plans, signs and writes the bundle of each architecture.
 * @throws LandfallError with any code except those of `verify` and `user-data`
 */
export async function build(
  options: BuildOptions,
  signer: SigningKey,
  buildContext: BuildContext,
): Promise<PublishedBundle[]> {
  const { config, kind, output, origin, maxPartSize } = options;
  const { store, reporter, statistics } = buildContext;
  const keysOf: InputOptions['keysOf'] = ({ trust }) =>
    trustedKeys({ trust: options.announceSigner ? undefined : trust }, config, signer);
  const onSelected = async (content: SelectedContent) => {
    if (kind === 'full') await announceSizes(content, options, buildContext);
  };
  const inputs = await readInputs({ ...options, keysOf, onSelected }, buildContext);
  const { appliance, lock } = inputs;
  const created = new Date((options.sourceDateEpoch ?? Date.parse(lock.created) / 1000) * 1000);
  const published: PublishedBundle[] = [];
  for (const arch of options.archs ?? appliance.platforms.map(architectureOf)) {
    reporter.step(`building the ${kind} bundle for ${arch}`);
    await using prefetch = new BlobPrefetch(store);
    const planned = await planRelease(inputs, { arch, created, prefetch }, buildContext);
    published.push(
      await publishBundle(
        { ...planned, output, lockText: encodeLock(lock), origin, maxPartSize },
        { signer, prefetch, store, statistics, reporter },
      ),
    );
  }
  return published;
}

/** Prints the sizes and the free disk before anything is downloaded. */
async function announceSizes(
  { lock, components, selected }: SelectedContent,
  { archs, output }: Pick<BuildOptions, 'archs' | 'output'>,
  { reporter }: BuildContext,
): Promise<void> {
  const sizes = bundleSizes(lock, {
    platforms: archs?.map((arch) => `linux/${arch}` as const) ?? lockedPlatforms(lock),
    images: components.map(({ name }) => name),
    models: selected.map(({ name }) => name),
  });
  for (const line of describeBundleSizes(sizes, await freeDisk(output))) reporter.note(line);
}
