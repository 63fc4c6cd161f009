import { readFile } from 'node:fs/promises';
import type { Release } from '#contract/release.ts';
import type { Architecture } from '#contract/release-name.ts';
import { BlobSupply } from './blobs/supply.ts';
import { locateImages } from './bundle/locate-images.ts';
import { planBundle } from './bundle/plan-bundle.ts';
import { bundleProgram } from './bundle/program.ts';
import { type PublishedBundle, publishBundle } from './bundle/publish-bundle.ts';
import { releaseFacts } from './bundle/release-facts.ts';
import { releaseOf } from './bundle/release-of.ts';
import { selectComponents } from './bundle/select-components.ts';
import { trustedKeys } from './bundle/trusted-keys.ts';
import { readStack } from './compose/read-stack.ts';
import { readAppliance } from './config/appliance.ts';
import { ensureLock } from './lock/ensure-lock.ts';
import { lockInputs } from './lock/inputs.ts';
import { encodeLock, lockPathFor } from './lock/lock-file.ts';
import { reportSelection } from './report/report-selection.ts';
import type { SigningKey } from './sign/private-key.ts';
import { lockedReference } from './sources/locked-reference.ts';
import type { Workshop } from './workshop.ts';

export interface BuildOptions {
  /** Path of appliance.yaml; its lock lies beside it. */
  readonly config: string;
  readonly kind: 'thin' | 'full';
  /** Absent: every platform of the appliance. */
  readonly archs?: readonly Architecture[] | undefined;
  /** Folder for the bundles. */
  readonly output: string;
  readonly frozen: boolean;
  /** Optional components to leave out. */
  readonly without: ReadonlySet<string>;
  /** SOURCE_DATE_EPOCH in seconds; absent: the time in the lock. */
  readonly sourceDateEpoch?: number | undefined;
}

export interface BuiltRelease extends PublishedBundle {
  readonly release: Release;
}

/**
 * From an appliance to signed bundles, one for each architecture. This is the whole story.
 * @throws LandfallError: every code but those of verifying and of user-data
 */
export async function build(
  options: BuildOptions,
  signer: SigningKey,
  workshop: Workshop,
): Promise<BuiltRelease[]> {
  const { config, kind } = options;
  const { reporter } = workshop;
  const appliance = await readAppliance(config);
  const stack = await readStack(appliance.compose, Object.keys(appliance.components));
  const keys = await trustedKeys(appliance, config, signer);
  const openSource = (image: string) => workshop.openSource(image, config);

  const lockFile = lockPathFor(config);
  const lock = await ensureLock(lockFile, lockInputs(appliance), options.frozen, {
    openSource,
    measure: (urls) => workshop.outside.measure(urls),
    reporter,
    now: new Date(),
  });
  const { components, unknown } = selectComponents(appliance, lock, options.without);
  reportSelection(reporter, lock, components, unknown);

  const documents = [
    { path: 'appliance.yaml', bytes: await readFile(config) },
    { path: 'appliance.lock.yaml', bytes: Buffer.from(encodeLock(lock)) },
  ];
  const program = await bundleProgram();
  const created = new Date((options.sourceDateEpoch ?? Date.parse(lock.created) / 1000) * 1000);
  const { version } = appliance;
  const built: BuiltRelease[] = [];
  for (const arch of options.archs ?? appliance.platforms.map((p) => p.slice(6) as Architecture)) {
    reporter.step(`building ${kind} bundle for ${arch}`);
    const supply = new BlobSupply(workshop.store);
    const images =
      kind === 'thin'
        ? []
        : await locateImages(components, `linux/${arch}`, ({ locked }) =>
            openSource(lockedReference(locked)),
          );
    const entries = await planBundle(
      { version, arch, kind, lock, stack, documents, program, images },
      { outside: workshop.outside, supply },
    );
    const facts = releaseFacts({ appliance, lock, kind, arch, components, keys, created });
    const release = releaseOf(facts, entries);
    const published = await publishBundle(
      { release, entries, output: options.output, lockText: encodeLock(lock) },
      { signer, supply, workshop },
    );
    built.push({ ...published, release });
  }
  return built;
}
