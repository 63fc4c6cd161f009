import type { ReleaseImage } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { TransferError } from '#http/transfer-error.ts';
import type { Host } from '../host/host.ts';
import { imageName, registryHost } from '../host/pull/image-name.ts';
import type { Reporter } from '../stage/reporter.ts';
import type { Context } from '../stage/stage.ts';
import { pullFailure } from './pull-failure.ts';
import { keepPulling, type PullPace } from './retry-pull.ts';

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

/**
 * Returns the references of an image to try in order: the site's mirror, then its own registry. They
 * have a digest, so a mirror cannot modify the image. Docker supports mirrors for Docker Hub only.
 */
export function pullReferences(
  { reference, manifest, index }: Pick<ReleaseImage, 'reference' | 'manifest' | 'index'>,
  { mirrors }: Pick<Site, 'mirrors'>,
): string[] {
  const { registry, repository } = imageName(reference);
  const suffix = `${repository}@${manifest ?? index}`;
  const mirror = mirrors.registries[registry];
  const home = `${registry}/${suffix}`;
  return mirror ? [`${mirrorName(mirror)}/${suffix}`, home] : [home];
}

function mirrorName(mirror: string): string {
  const url = new URL(mirror);
  return `${registryHost(url)}${url.pathname.replace(/\/+$/, '')}`;
}

/**
 * Pulls an image from a registry into Docker; see {@link keepPulling}.
 * @param reference with registry and digest: `docker.io/x/y@sha256:…`
 * @param size bytes to download; null if unknown
 * @throws LandfallError NETWORK_UNREACHABLE, NETWORK_TIMEOUT, NETWORK_TLS, IMAGE_NOT_FOUND,
 *   REGISTRY_AUTH, REGISTRY_RATE_LIMIT, DISK_FULL, DOCKER_UNREACHABLE
 */
export async function pullImage(
  host: Host,
  reference: string,
  size: number | null,
  report: Reporter,
  pace: PullPace = {},
): Promise<void> {
  const failed = (words: string) => pullFailure(reference, words);
  const stalled = pullStalled(reference);
  report.say(`pulling ${reference}`);
  await keepPulling(host, { reference, size, failed, stalled }, report, pace);
}

function pullStalled(reference: string): TransferError {
  return new TransferError('NETWORK_TIMEOUT', `the pull of ${reference} stalled`, {
    hint: 'Check the route, or set mirrors.registries in the site to a mirror.',
    transient: true,
  });
}
