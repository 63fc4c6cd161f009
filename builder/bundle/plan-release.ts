import { sbom } from '#contract/bundle/bundle-paths.ts';
import type { Release } from '#contract/bundle/release.ts';
import type { Architecture } from '#contract/bundle/release-name.ts';
import type { BlobPrefetch } from '../inputs/blobs/prefetch.ts';
import { lockedReference } from '../inputs/lock/lock.ts';
import type { BundleEntry } from './archive/entry.ts';
import { locateImages } from './archive/located-contents.ts';
import { planBundle } from './archive/plan-bundle.ts';
import { releaseFacts, releaseOf } from './archive/release-facts.ts';
import type { BuildContext } from './build-context.ts';
import type { ReleaseInputs } from './release-inputs.ts';
import { sbomOf } from './sbom/sbom.ts';

interface PlanOptions {
  readonly arch: Architecture;
  /** The time of the release. */
  readonly created: Date;
  /** Starts the downloads of the plan. */
  readonly prefetch: Pick<BlobPrefetch, 'begin'>;
}

/** The manifest of a bundle, and its files in order. */
interface PlannedRelease {
  readonly release: Release;
  readonly entries: readonly BundleEntry[];
}

/**
 * Plans the bundle of one architecture: creates its images and documents, and returns its manifest
 * with the files. The same inputs and options return the same manifest.
 * @throws LandfallError of `locateImages`, `releaseFacts`, `planBundle` and `releaseOf`
 */
export async function planRelease(
  inputs: ReleaseInputs,
  { arch, created, prefetch }: PlanOptions,
  { openSource, store, outside }: BuildContext,
): Promise<PlannedRelease> {
  const { config, kind, appliance, keys, stack, lock } = inputs;
  const { components, selected, works, program, scripts, documents, models } = inputs;
  const carried = components.filter((each) => kind === 'full' || each.program);
  const images = await locateImages(carried, `linux/${arch}`, {
    openLocked: ({ locked }) => openSource(lockedReference(locked), config),
    scripts,
    store,
  });
  const made = { version: appliance.version, arch, kind, lock, images, models };
  const facts = releaseFacts({ ...made, appliance, components, selected, keys, created });
  const bytes = await sbomOf({ facts, appliance, lock, components, works, program, scripts });
  const carriedDocuments = [...documents, { path: sbom, bytes }];
  const entries = await planBundle(
    { ...made, stack, documents: carriedDocuments, program: program.bytes },
    { outside, prefetch },
  );
  return { release: releaseOf(facts, entries), entries };
}
