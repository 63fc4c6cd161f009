import type { ReleaseImage } from '#contract/bundle/release.ts';
import type { ErrorCode } from '#contract/errors.ts';
import { mirrorsOf } from '#contract/site/network/mirrors.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage } from '#contract/text/language.ts';
import { TransferError } from '#http/transfer-error.ts';
import { fromFirstSource } from '../../server/host/first-source.ts';
import type { Host } from '../../server/host/host.ts';
import { imageName, registryHost } from '../../server/host/pull/image-name.ts';
import { failureText } from '../../server/host/pull/pull-line.ts';
import type { PullPace } from '../../server/host/pull/retry-pull.ts';
import type { Reporter } from '../../server/stage/reporter.ts';
import type { Context } from '../../server/stage/stage.ts';
import { keepPulling } from './retry-pull.ts';

/**
 * Pulls an image that is not in the bundle from the first source that succeeds.
 * @returns the reference under which it was pulled
 * @throws LandfallError the error of {@link pullImage} for the last source, with those of the others
 */
export async function pullOutside(
  { host, site, report }: Pick<Context, 'host' | 'site' | 'report'>,
  image: ReleaseImage,
): Promise<string> {
  return await fromFirstSource(pullReferences(image, site), async (reference) => {
    await pullImage(host, reference, image.size, report);
    return reference;
  });
}

/**
 * Returns the references of an image to try in order: the site's mirrors, then its own registry. They
 * have a digest, so a mirror cannot modify the image. Docker supports mirrors for Docker Hub only.
 */
export function pullReferences(
  { reference, manifest, index }: Pick<ReleaseImage, 'reference' | 'manifest' | 'index'>,
  { mirrors }: Pick<Site, 'mirrors'>,
): string[] {
  const { registry, repository } = imageName(reference);
  const suffix = `${repository}@${manifest ?? index}`;
  const sources = [...mirrorsOf(mirrors.registries, registry).map(mirrorName), registry];
  return sources.map((source) => `${source}/${suffix}`);
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
  report.say(inLanguage({ en: `pulling ${reference}`, zh: `拉取 ${reference}` }));
  await keepPulling(host, { reference, size, failed, stalled }, report, pace);
}

function pullStalled(reference: string): TransferError {
  return new TransferError('NETWORK_TIMEOUT', `the pull of ${reference} stalled`, {
    hint: 'Check the route, or set mirrors.registries in the site to a mirror.',
    transient: true,
  });
}

interface Reason {
  /** Matches the message of Docker. */
  readonly words: RegExp;
  readonly code: ErrorCode;
  /** `{}` is the image. */
  readonly message: string;
  readonly hint: string;
  readonly transient?: boolean;
}

const useMirror =
  'Set mirrors.registries in the site to a mirror, set a route, or use a full bundle, which contains the images.';

const diskFull = /no space left on device/i;

/** Returns whether a message of Docker means a full disk. */
export function isDiskFull(words: string): boolean {
  return diskFull.test(words);
}

/** Known messages of Docker, containerd, registries and Go's network library. The first match counts. */
const reasons: readonly Reason[] = [
  {
    words: diskFull,
    code: 'DISK_FULL',
    message: '{} could not be pulled: no space left on the disk',
    hint: 'Free some space, or disable optional components.',
  },
  {
    words: /toomanyrequests|too many requests|rate limit/i,
    code: 'REGISTRY_RATE_LIMIT',
    message: '{} could not be pulled: rate-limited by the registry',
    hint: `Wait some hours, or run sudo docker login. Otherwise: ${useMirror}`,
  },
  {
    words: /manifest unknown|not found|no such manifest|name unknown/i,
    code: 'IMAGE_NOT_FOUND',
    message: '{} could not be pulled: image not found',
    hint: 'Use another mirror, a newer release, or a full bundle.',
  },
  {
    words: /unauthorized|denied|forbidden|authentication required|no basic auth credentials/i,
    code: 'REGISTRY_AUTH',
    message: '{} could not be pulled: authentication required',
    hint: 'Use a mirror that allows anonymous pulls, use a full bundle, or run sudo docker login.',
  },
  {
    words: /x509|certificate|tls: /i,
    code: 'NETWORK_TLS',
    message: '{} could not be pulled: untrusted TLS certificate',
    hint: `Check the clock, and bypass a proxy that inspects TLS. ${useMirror}`,
  },
  {
    words: /server gave HTTP response to HTTPS client/i,
    code: 'NETWORK_TLS',
    message: '{} could not be pulled: the registry speaks plain HTTP',
    hint: 'Write the mirror with http:// in front.',
  },
];

/** Returns the error for a failed pull from the message of Docker. */
export function pullFailure(reference: string, words: string): TransferError {
  const reason = reasons.find((each) => each.words.test(words));
  const {
    code = 'NETWORK_UNREACHABLE',
    message = '{} could not be pulled',
    hint = useMirror,
    transient = reason === undefined,
  } = reason ?? {};
  const said = failureText(words);
  return new TransferError(
    code,
    message.replace('{}', () => reference),
    {
      hint,
      problems: [{ message: `Docker reports: ${said}` }],
      transient,
    },
  );
}
