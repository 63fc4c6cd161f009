import { singBoxTarball } from '#contract/bundle/bundle-paths.ts';
import type { Release } from '#contract/bundle/release.ts';
import { componentOf } from '#contract/component-names.ts';
import type { ComponentName } from '#contract/components.ts';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { missingComponents, missingModels } from '#contract/site/chosen-images.ts';
import type { Site } from '#contract/site/site.ts';
import type { PinnedRelease } from '../../bundle/released/pinned-release.ts';

/**
 * Rejects a site that needs components, models or a proxy client which its release does not contain.
 * @throws LandfallError USER_DATA_MISMATCH with everything that is missing
 */
export function refuseMissingComponents(site: Site, releases: readonly PinnedRelease[]): void {
  const problems = releases.flatMap(({ release }) => [
    ...missingComponents(release, site).map(({ name: part, because }) => ({
      message: `${because}, but ${release.product} ${release.version} for ${release.arch} has no ${part}`,
      hint: isSelectable(part)
        ? `Set components.${part} to false, or ${otherRelease}.`
        : neededHint,
    })),
    ...missingClient(release, site),
    ...missingModels(release, site).map((name) => ({
      message: `models lists ${name}, which ${release.product} ${release.version} for ${release.arch} does not contain`,
      hint: `Choose from: ${release.models.map((model) => model.name).join(', ') || 'none'}. Or pull it later on the server with: sudo landfall models pull ${name}`,
    })),
  ]);
  if (problems.length === 0) return;
  const message =
    'the site enables components, models or a proxy client that the release does not contain';
  throw new LandfallError('USER_DATA_MISMATCH', message, {
    hint: 'Run `landfall inspect` to list the contents of a bundle.',
    problems,
  });
}

/** The client is a file of the bundle: a server without a route cannot download it. */
function missingClient({ product, version, arch, files }: Release, { route }: Site): Problem[] {
  if (route.mode !== 'client' || files.some(({ path }) => path === singBoxTarball)) return [];
  return [
    {
      message: `route.mode is client, but ${product} ${version} for ${arch} has no proxy client`,
      hint: 'Add `clients: { sing-box: {} }` to appliance.yaml, run `landfall lock`, and build again. Or set another route.mode.',
    },
  ];
}

const otherRelease =
  'build a release that has it (add it to appliance.yaml, run `landfall lock`, and build without --without)';
const neededHint = `Remove the field that requires it from the site, or ${otherRelease}.`;

function isSelectable(name: ComponentName): boolean {
  return componentOf(name).runs === 'when-selected';
}
