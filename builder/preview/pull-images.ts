import type { ReleaseImage } from '#contract/bundle/release.ts';
import { previewImage } from '#preview/override.ts';
import type { Reporter } from '../progress/reporter.ts';
import type { Docker } from './docker/docker.ts';
import { isLoaded } from './load-images.ts';

/** What {@link pullImages} needs besides Docker. */
interface PullOptions {
  readonly project: string;
  readonly version: string;
  readonly reporter: Reporter;
  /** Records a name before it is pulled, so that it is removed even after an interruption. */
  record(reference: string): Promise<void>;
}

/**
 * Pulls the images that a thin bundle names, by digest, and gives them the names of this preview.
 * Images that Docker already has keep their other names.
 * @throws LandfallError COMMAND_FAILED
 */
export async function pullImages(
  docker: Docker,
  images: readonly ReleaseImage[],
  { project, version, reporter, record }: PullOptions,
): Promise<void> {
  for (const image of images) {
    const name = previewImage(project, image.component, version);
    if (await isLoaded(docker, image, name)) continue;
    const reference = digestReference(image);
    const isPresent =
      (await docker.lines('image', 'inspect', '--format', '1', reference)).length > 0;
    if (!isPresent) {
      await record(reference);
      reporter.note(`pulling ${image.reference}`);
      await docker.run(['image', 'pull', '--quiet', reference]);
    }
    await docker.run(['image', 'tag', reference, name]);
    if (!isPresent) await docker.run(['image', 'rm', '--no-prune', reference], { anyCode: true });
  }
}

/** Returns the reference of an image with its digest instead of its tag. */
function digestReference({ reference, manifest, index }: ReleaseImage): string {
  const name = reference.replace(/@.*$/, '').replace(/:[^:/]+$/, '');
  return `${name}@${manifest ?? index}`;
}
