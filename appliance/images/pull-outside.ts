import type { ReleaseImage } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { TransferError } from '#http/transfer-error.ts';
import type { Context } from '../stage/stage.ts';
import { pullImage } from './pull-image.ts';
import { pullReferences } from './pull-reference.ts';

/**
 * Pulls an image that the bundle does not carry, from one place after the other.
 * @returns the reference that it came under
 * @throws LandfallError NETWORK_UNREACHABLE with what became of each place; with one place only, and
 *   for what would fail at every place, the error of {@link pullImage}
 */
export async function pullOutside(
  { host, site, report }: Pick<Context, 'host' | 'site' | 'report'>,
  image: ReleaseImage,
): Promise<string> {
  const failures: LandfallError[] = [];
  for (const reference of pullReferences(image, site)) {
    try {
      await pullImage(host, reference, image.size, report);
      return reference;
    } catch (error) {
      if (!isOfPlace(error)) throw error;
      failures.push(error);
    }
  }
  const [only, ...others] = failures;
  if (only && others.length === 0) throw only;
  throw new LandfallError('NETWORK_UNREACHABLE', `${image.reference} could not be pulled`, {
    hint: 'Name another mirror of its registry as mirrors.registries in the site, give the site a route, or use a full bundle, which has the images inside.',
    problems: failures.flatMap(({ message, problems }) => [{ message }, ...problems]),
  });
}

/** Whether another place may do better. */
function isOfPlace(error: unknown): error is TransferError {
  const { code } = error instanceof TransferError ? error : {};
  return code !== undefined && code !== 'DISK_FULL' && code !== 'ENGINE_UNREACHABLE';
}
