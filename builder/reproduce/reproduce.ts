import { encodeRelease } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { areEqual } from '#contract/text/bytes.ts';
import { announcedKeys } from '#contract/trust/key-change.ts';
import { BlobPrefetch } from '../blobs/prefetch.ts';
import type { BuildContext } from '../build-context.ts';
import { applianceKeys } from '../bundle/trusted-keys.ts';
import { readAppliance } from '../config/appliance.ts';
import { planRelease } from '../plan-release.ts';
import { readInputs } from '../release-inputs.ts';
import { expectSource } from './expect-source.ts';
import { firstDifference } from './first-difference.ts';
import { leftOut } from './left-out.ts';
import type { PublishedRelease } from './published-release.ts';
import { type RebuiltBundle, rebuildBundle } from './rebuild-bundle.ts';

interface ReproduceOptions {
  /** Path of appliance.yaml. */
  readonly config: string;
  /** Paths of the published bundle and of the one to write; absent: only plans the bundle. */
  readonly full?: { readonly published: string; readonly output: string } | undefined;
}

/**
 * Plans a release again from its source and compares the bytes of `release.json`. It names the SHA-256
 * of every file, so files that the lock pins are not downloaded. Time, kind and architecture are those
 * of the release, and so are the keys unless the appliance names them.
 * @returns the bundle that was written, if one was requested
 * @throws LandfallError BUNDLE_DIFFERS with the first difference; CONFIG_INVALID for another source;
 * those of `build` except of keys
 */
export async function reproduce(
  published: PublishedRelease,
  { config, full }: ReproduceOptions,
  buildContext: BuildContext,
): Promise<RebuiltBundle | undefined> {
  const { release, manifest, signer } = published;
  const { arch, kind } = release;
  const { reporter, store } = buildContext;
  const appliance = await readAppliance(config);
  await expectSource(appliance, config, release);
  reporter.step(`planning the ${kind} bundle for ${arch}`);
  const inputs = await readInputs(
    {
      ...{ config, kind, frozen: true, without: leftOut(appliance, release) },
      keysOf: async () => (await applianceKeys(appliance, config)) ?? announcedKeys(release.keys),
    },
    buildContext,
  );
  await using prefetch = new BlobPrefetch(store);
  const created = new Date(release.created);
  const fetching = full ? prefetch : { begin() {} };
  const planned = await planRelease(inputs, { arch, created, prefetch: fetching }, buildContext);
  if (!areEqual(encodeRelease(planned.release), manifest)) {
    throw differs(firstDifference(release, planned.release));
  }
  if (!full) return undefined;
  const keys = signer
    ? { release: [signer.key], recovery: undefined }
    : announcedKeys(release.keys);
  return await rebuildBundle(
    { ...full, ...planned, manifest, keys },
    { ...buildContext, prefetch },
  );
}

function differs(difference: ReturnType<typeof firstDifference>): LandfallError {
  const { path, published, built } = difference ?? { path: '', published: '', built: '' };
  return new LandfallError('BUNDLE_DIFFERS', `the release is not reproduced: ${path} differs`, {
    hint: 'Use the commit, and the version of Landfall, that the release was built with.',
    problems: [{ message: `published: ${published}` }, { message: `built:     ${built}` }],
  });
}
