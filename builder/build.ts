import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { notice, sbom } from '#contract/bundle/bundle-paths.ts';
import type { Architecture } from '#contract/bundle/release-name.ts';
import { BlobPrefetch } from './blobs/prefetch.ts';
import type { BuildContext } from './build-context.ts';
import { locateImages } from './bundle/locate-images.ts';
import { locateModels } from './bundle/locate-models.ts';
import { planBundle } from './bundle/plan-bundle.ts';
import { bundleProgram, bundleScripts } from './bundle/program.ts';
import { type PublishedBundle, publishBundle } from './bundle/publish-bundle.ts';
import { releaseFacts } from './bundle/release-facts.ts';
import { releaseOf } from './bundle/release-of.ts';
import { reportSelection } from './bundle/report-selection.ts';
import { selectComponents } from './bundle/select-components.ts';
import { selectModels } from './bundle/select-models.ts';
import { trustedKeys } from './bundle/trusted-keys.ts';
import { readStack } from './compose/read-stack.ts';
import { type Appliance, readAppliance } from './config/appliance.ts';
import { ensureLock } from './lock/ensure-lock.ts';
import { lockInputs } from './lock/inputs.ts';
import type { Lock } from './lock/lock.ts';
import { encodeLock, lockPathFor } from './lock/lock-file.ts';
import { lockedReference } from './lock/locked-reference.ts';
import { noticeOf } from './notice/notice.ts';
import { refuseUnlicensed } from './notice/refuse-unlicensed.ts';
import { worksOf } from './notice/works.ts';
import { architectureOf } from './platform.ts';
import { sbomOf } from './sbom/sbom.ts';
import type { SigningKey } from './sign/private-key.ts';

interface BuildOptions {
  /** Path of appliance.yaml; the lock file is in the same folder. */
  readonly config: string;
  readonly kind: 'thin' | 'full';
  /** Absent: every platform of the appliance. */
  readonly archs?: readonly Architecture[] | undefined;
  /** Output folder. */
  readonly output: string;
  readonly frozen: boolean;
  /** Optional components and models to leave out. */
  readonly without: ReadonlySet<string>;
  /** Whether to reject a bundle with a component or model whose license is not known. */
  readonly forPublic?: boolean | undefined;
  /** Whether the release announces only the signing key, even if the appliance names keys. */
  readonly announceSigner?: boolean | undefined;
  /** SOURCE_DATE_EPOCH in seconds; absent: the time in the lock. */
  readonly sourceDateEpoch?: number | undefined;
}

/**
 * Builds signed bundles from an appliance, one per architecture. Reads the inputs (appliance,
 * stack, keys, lock), then creates the images, plan, manifest and bundle of each architecture.
 * @throws LandfallError with any code except those of `verify` and `user-data`
 */
export async function build(
  options: BuildOptions,
  signer: SigningKey,
  buildContext: BuildContext,
): Promise<PublishedBundle[]> {
  const { config, kind, output } = options;
  const { store, outside, reporter, statistics } = buildContext;
  const openSource = (image: string) => buildContext.openSource(image, config);
  // esbuild runs in a separate process, in parallel with the reads below.
  const bundling = bundleProgram();
  bundling.catch(() => {});

  const appliance = await readAppliance(config);
  const stack = await readStack(appliance.compose, Object.keys(appliance.components));
  const trust = options.announceSigner ? undefined : appliance.trust;
  const keys = await trustedKeys({ trust }, config, signer);
  const lock = await lockOf(appliance, options, buildContext);
  const { components, unknown } = selectComponents(appliance, lock, options.without);
  const selected = selectModels(appliance, lock, kind, options.without);
  reportSelection(reporter, components, unknown, selected);
  const works = worksOf(appliance, { kind, components, models: selected });
  if (options.forPublic) refuseUnlicensed(works);

  const program = await bundling;
  const scripts = await bundleScripts(components.flatMap(({ program }) => program ?? []));
  const packages = [program, ...scripts.values()].flatMap((each) => each.packages);
  const { name: product, version } = appliance;
  const documents = [
    ...(await documentsOf(config, lock)),
    { path: notice, bytes: await noticeOf({ product, version, works, packages }) },
  ];
  const created = new Date((options.sourceDateEpoch ?? Date.parse(lock.created) / 1000) * 1000);
  const models = await locateModels(selected, buildContext.models, dirname(config));
  const published: PublishedBundle[] = [];
  for (const arch of options.archs ?? appliance.platforms.map(architectureOf)) {
    reporter.step(`building the ${kind} bundle for ${arch}`);
    await using prefetch = new BlobPrefetch(store);
    const carried = components.filter((each) => kind === 'full' || each.program);
    const images = await locateImages(carried, `linux/${arch}`, {
      openLocked: ({ locked }) => openSource(lockedReference(locked)),
      scripts,
      store,
    });
    const made = { version, arch, kind, lock, images, models };
    const facts = releaseFacts({ ...made, appliance, components, selected, keys, created });
    const bytes = await sbomOf({ facts, appliance, lock, components, works, program, scripts });
    const carriedDocuments = [...documents, { path: sbom, bytes }];
    const entries = await planBundle(
      { ...made, stack, documents: carriedDocuments, program: program.bytes },
      { outside, prefetch },
    );
    const release = releaseOf(facts, entries);
    published.push(
      await publishBundle(
        { release, entries, output, lockText: encodeLock(lock) },
        { signer, prefetch, store, statistics, reporter },
      ),
    );
  }
  return published;
}

async function lockOf(
  appliance: Appliance,
  { config, frozen }: BuildOptions,
  { openSource, outside, models, reporter }: BuildContext,
): Promise<Lock> {
  return ensureLock(lockPathFor(config), lockInputs(appliance), frozen, {
    openSource: (image) => openSource(image, config),
    measure: (urls, sha256) => outside.measure(urls, { sha256 }),
    resolveModel: (name, manifest) => models.registry.resolve(name, manifest),
    measureGguf: (source, sha256) => models.measure(source, sha256, dirname(config)),
    reporter,
    now: new Date(),
  });
}

/** Reads appliance.yaml and encodes its lock: a bundle carries both as documentation. */
async function documentsOf(
  config: string,
  lock: Lock,
): Promise<Array<{ path: string; bytes: Buffer }>> {
  return [
    { path: 'appliance.yaml', bytes: await readFile(config) },
    { path: 'appliance.lock.yaml', bytes: Buffer.from(encodeLock(lock)) },
  ];
}
