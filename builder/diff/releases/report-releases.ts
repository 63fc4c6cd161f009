import { sbom } from '#contract/bundle/bundle-paths.ts';
import { formatKeyId } from '#contract/trust/keys.ts';
import { type Comparison, filled } from '../comparison.ts';
import type { Pair, ReleaseSide } from '../sides/side.ts';
import type { ReleaseChanges } from './changes.ts';
import { compareReleases } from './compare-releases.ts';
import { releaseSections } from './describe-releases.ts';
import { type SbomVersions, versionsInSbom } from './packages.ts';
import { releaseTitle, updateAssumptions, updateSummary } from './summary.ts';
import { textDiffs } from './text-diffs.ts';
import { updateCost } from './update-cost.ts';

/** Maximum size of an SBOM in bytes. */
const maxSbomBytes = 16 * 1024 * 1024;

/**
 * Compares two releases.
 * @param verbose whether to compare the settings as text
 * @throws LandfallError BUNDLE_CONTENT, BUNDLE_TRUNCATED
 */
export async function reportReleases(
  sides: Pair<ReleaseSide>,
  verbose: boolean,
): Promise<Comparison> {
  const { before, after } = sides;
  const changes = compareReleases({
    before: { ...before, versions: await versionsOf(before) },
    after: { ...after, versions: await versionsOf(after) },
  });
  const releases = { before: before.release, after: after.release };
  const update = updateCost(releases);
  const texts = verbose ? await textDiffs(sides, changes.settings) : [];
  // release.json lists everything else, so equal ones mean equal releases.
  const different = before.manifestSha256 !== after.manifestSha256;
  return {
    different,
    report: {
      title: releaseTitle(releases),
      summary: different ? updateSummary(releases, update) : ['No differences.'],
      sections: filled(releaseSections(changes)),
      texts,
      notes: [
        ...(different ? updateAssumptions(update) : []),
        ...(different ? notesOn(sides, changes) : []),
        signatureNote(sides),
      ],
    },
    json: {
      type: 'releases',
      different,
      before: jsonOf(before),
      after: jsonOf(after),
      update,
      ...changes,
      ...(verbose ? { texts } : {}),
    },
  };
}

async function versionsOf(side: ReleaseSide): Promise<SbomVersions | undefined> {
  const bytes = await side.read(sbom, maxSbomBytes);
  return bytes && versionsInSbom(bytes);
}

function notesOn({ before, after }: Pair<ReleaseSide>, { packages }: ReleaseChanges): string[] {
  if (packages) return [];
  const isManifest = [before, after].some(({ type }) => type === 'manifest');
  const advice = isManifest
    ? ` Pass the bundles, or put the .${sbom} files beside the release.json files.`
    : '';
  return [`Packages cannot be compared: an SBOM is missing or not readable.${advice}`];
}

function signatureNote({ before, after }: Pair<ReleaseSide>): string {
  if (!before.signer || !after.signer) return 'Signatures are not verified.';
  const [one, other] = [before.signer, after.signer].map(
    ({ key, role }) => `${formatKeyId(key.id)} (${role} key)`,
  );
  return one === other
    ? `Both releases are signed by ${one}.`
    : `The first release is signed by ${one}, the second by ${other}.`;
}

function jsonOf({ type, name, release, manifestSha256, signer }: ReleaseSide): object {
  const { product, version, arch, kind, created } = release;
  return {
    ...{ type, name, product, version, arch, kind, created, manifestSha256 },
    verified: signer !== undefined,
    ...(signer ? { signer: { keyId: signer.key.id, role: signer.role } } : {}),
  };
}
