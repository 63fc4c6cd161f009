import { componentOf } from '#contract/component-names.ts';
import type { ComponentName } from '#contract/components.ts';
import { LandfallError } from '#contract/errors.ts';
import { missingComponents } from '#contract/site/chosen-images.ts';
import { missingModels } from '#contract/site/chosen-models.ts';
import type { Site } from '#contract/site/site.ts';
import type { PinnedRelease } from './pinned-release.ts';

/**
 * A site may turn on only what its release has: the server could start nothing else.
 * @throws LandfallError USER_DATA_MISMATCH with every component and model that is not there
 */
export function refuseMissingParts(site: Site, releases: readonly PinnedRelease[]): void {
  const problems = releases.flatMap(({ release }) => [
    ...missingComponents(release, site).map(({ name: part, because }) => ({
      message: `${because}, but ${release.product} ${release.version} for ${release.arch} has no ${part}`,
      hint: isSelectable(part)
        ? `Set components.${part} to false, or ${otherRelease}.`
        : neededHint,
    })),
    ...missingModels(release, site).map((name) => ({
      message: `models has ${name}, which ${release.product} ${release.version} for ${release.arch} does not lock`,
      hint: `Name some of ${release.models.map((model) => model.name).join(', ') || 'no model'}, or pull ${name} by hand on the server: sudo landfall models pull ${name}`,
    })),
  ]);
  if (problems.length === 0) return;
  throw new LandfallError(
    'USER_DATA_MISMATCH',
    'the site turns on what the release does not have',
    {
      hint: '`landfall inspect` lists what is in a bundle.',
      problems,
    },
  );
}

const otherRelease =
  'build the release with it: name it in appliance.yaml, run `landfall lock`, leave out --without';
const neededHint = `Remove what needs it from the site, or ${otherRelease}.`;

function isSelectable(name: ComponentName): boolean {
  return componentOf(name).runs === 'when-selected';
}
