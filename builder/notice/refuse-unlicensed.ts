import { LandfallError } from '#contract/errors.ts';
import type { Work } from './works.ts';

/**
 * Rejects a bundle for the public whose license is unknown in part. An image from another repository
 * than its publisher's counts as unknown, because it may be modified.
 * @throws LandfallError LICENSE_UNKNOWN naming each component and model
 */
export function refuseUnlicensed(works: readonly Work[]): void {
  const unknown = works.filter(({ carried, license }) => carried && license === undefined);
  if (unknown.length === 0) return;
  const names = unknown.map(({ name }) => name);
  throw new LandfallError(
    'LICENSE_UNKNOWN',
    `the bundle cannot be published: the license is not known of ${names.join(', ')}`,
    {
      hint: `Leave it out with --without ${names[0]}, use the image of its publisher, or declare its license in appliance.yaml.`,
      problems: unknown.map(({ name, origin }) => ({
        message: `${name}: ${origin} may be modified, or is not in the table of licenses`,
      })),
    },
  );
}
