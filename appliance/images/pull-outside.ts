import type { ReleaseImage } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { TransferError } from '#http/transfer-error.ts';
import type { Context } from '../stage/stage.ts';
import { pullImage } from './pull-image.ts';
import { pullReferences } from './pull-reference.ts';

/**
 * Pulls an image that is not in the bundle from the first source that succeeds.
 * @returns the reference under which it was pulled
 * @throws LandfallError NETWORK_UNREACHABLE with the error of each source; the error of
 *   {@link pullImage} if there is one source only, or if it does not depend on the source
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
      if (!dependsOnSource(error)) throw error;
      failures.push(error);
    }
  }
  const [only, ...others] = failures;
  if (only && others.length === 0) throw only;
  throw new LandfallError('NETWORK_UNREACHABLE', `${image.reference} could not be pulled`, {
    hint: 'Set mirrors.registries in the site to another mirror, set a route, or use a full bundle, which contains the images.',
    problems: failures.flatMap(({ message, problems }) => [{ message }, ...problems]),
  });
}

/** Returns whether another source may succeed. */
function dependsOnSource(error: unknown): error is TransferError {
  const { code } = error instanceof TransferError ? error : {};
  return code !== undefined && code !== 'DISK_FULL' && code !== 'DOCKER_UNREACHABLE';
}
