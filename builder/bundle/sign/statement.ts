import { manifestName } from '#contract/bundle/head.ts';
import { encodeRelease, type Release } from '#contract/bundle/release.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { predicateType, statementType } from '#contract/trust/provenance.ts';
import type { BuildOrigin } from './build-origin.ts';

/** Facts about the builder and its inputs. */
interface BuildFacts {
  /** Landfall's own version. */
  readonly builderVersion: string;
  /** SHA-256 of the lock file, 64 hex digits. */
  readonly lockSha256: string;
  /** The commit and workflow of a build in CI. */
  readonly origin?: BuildOrigin | undefined;
}

/**
 * Returns the provenance of a release: an in-toto Statement v1 with an SLSA provenance v1 predicate.
 * It claims at most build level 1: the signing key states the commit and the workflow, not the build
 * platform. Third-party images are dependencies, not subjects, so that the signature
 * does not vouch for them.
 */
export function statementOf(
  release: Release,
  { builderVersion, lockSha256, origin }: BuildFacts,
): object {
  return {
    _type: statementType,
    subject: [{ name: manifestName, digest: { sha256: sha256Hex(encodeRelease(release)) } }],
    predicateType,
    predicate: {
      buildDefinition: {
        buildType: 'https://landfall.local/build/v1',
        externalParameters: {
          product: release.product,
          version: release.version,
          arch: release.arch,
          kind: release.kind,
        },
        internalParameters: {},
        resolvedDependencies: [
          ...(origin ? [{ uri: origin.source, digest: { gitCommit: origin.commit } }] : []),
          { name: 'appliance.lock.yaml', digest: { sha256: lockSha256 } },
          ...release.images
            .map(({ reference, index, base }) => base ?? { reference, index })
            .map(({ reference, index }) => ({
              uri: `docker://${reference}`,
              digest: { sha256: index.slice('sha256:'.length) },
            })),
          ...release.models.flatMap(({ name, manifest }) => {
            if (manifest === null) return [];
            return [
              { name: `model ${name}`, digest: { sha256: manifest.slice('sha256:'.length) } },
            ];
          }),
          ...release.downloads.map(({ urls, sha256 }) => ({ uri: urls[0], digest: { sha256 } })),
        ],
      },
      runDetails: {
        builder: origin?.builderId
          ? { id: origin.builderId, version: { landfall: builderVersion } }
          : { id: `https://landfall.local/builder/${builderVersion}` },
        metadata: { finishedOn: release.created },
      },
    },
  };
}
