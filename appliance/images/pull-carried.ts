import type { ReleaseImage } from '#contract/bundle/release.ts';
import { TransferError } from '#http/transfer-error.ts';
import type { Host } from '../host/host.ts';
import { failureText } from '../host/pull/failure-text.ts';
import type { Reporter } from '../stage/reporter.ts';
import { isDiskFull, pullFailure } from './pull-failure.ts';
import { keepPulling, type PullPace } from './retry-pull.ts';

/**
 * Pulls an image of the bundle from the loopback registry into Docker.
 * @param registry address, such as `127.0.0.1:40123`
 * @returns the reference under which it was pulled
 * @throws LandfallError IMAGE_MISMATCH, DISK_FULL, DOCKER_UNREACHABLE
 */
export async function pullCarried(
  host: Host,
  registry: string,
  { component, manifest, size }: ReleaseImage,
  report: Pick<Reporter, 'say' | 'progress'>,
  pace: PullPace = {},
): Promise<string> {
  const reference = `${registry}/landfall/${component}@${manifest}`;
  const failed = (words: string) =>
    isDiskFull(words)
      ? pullFailure(component, words)
      : failure(`Docker cannot import the image of ${component} from the release`, words);
  const stalled = failure(`the import of the image of ${component} stalled`);
  await keepPulling(host, { reference, size, failed, stalled }, report, pace);
  return reference;
}

/** Returns an error without a hint about mirrors or routes, because the image is on this server. */
function failure(message: string, words?: string): TransferError {
  return new TransferError('IMAGE_MISMATCH', message, {
    hint: 'Check the logs: sudo journalctl --unit docker --lines 50',
    problems: words === undefined ? [] : [{ message: `Docker reports: ${failureText(words)}` }],
    transient: true,
  });
}
