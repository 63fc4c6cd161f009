import { TransferError } from '#http/transfer-error.ts';
import type { Host } from '../host/host.ts';
import type { Reporter } from '../stage/reporter.ts';
import { pullFailure } from './pull-failure.ts';
import { keepPulling, type PullPace } from './retry-pull.ts';

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
