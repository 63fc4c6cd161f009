import type { ReleaseImage } from '#contract/bundle/release.ts';
import { TransferError } from '#http/transfer-error.ts';
import type { Host } from '../host/host.ts';
import { failureText } from '../host/pull/failure-text.ts';
import type { Reporter } from '../stage/reporter.ts';
import { keepPulling, type PullPace } from './keep-pulling.ts';
import { isDiskFull, pullFailure } from './pull-failure.ts';

/**
 * Has Docker's engine pull an image that the release carries from the registry on loopback.
 * @param registry `127.0.0.1:40123`
 * @returns the reference that it came under
 * @throws LandfallError IMAGE_MISMATCH, DISK_FULL, ENGINE_UNREACHABLE
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
      : failure(`Docker cannot take the image of ${component} from the release`, words);
  const stalled = failure(`Docker no longer takes the image of ${component} from the release`);
  await keepPulling(host, { reference, size, failed, stalled }, report, pace);
  return reference;
}

/** The bytes are on this server, so no mirror and no route can help. */
function failure(message: string, words?: string): TransferError {
  return new TransferError('IMAGE_MISMATCH', message, {
    hint: 'See: sudo journalctl --unit docker --lines 50',
    problems: words === undefined ? [] : [{ message: `Docker says: ${failureText(words)}` }],
    transient: true,
  });
}
