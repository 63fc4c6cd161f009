import { formatRate } from '#contract/text/format-bytes.ts';
import { TransferError } from '#http/transfer-error.ts';

/** The rate below which a download is aborted. */
export interface MinimumRate {
  readonly bytesPerSecond: number;
  /** Averaging period. */
  readonly seconds: number;
}

/**
 * Yields the chunks of a body and fails if they arrive too slowly. This also ends transfers that
 * send a byte now and then, which the client's stall timeout does not catch.
 * @param host sender, for the error message
 * @throws LandfallError NETWORK_TIMEOUT
 */
export async function* enforceMinimumRate(
  { bytesPerSecond, seconds }: MinimumRate,
  host: string,
  body: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let [began, received] = [performance.now(), 0];
  for await (const chunk of body) {
    received += chunk.length;
    if (received >= bytesPerSecond * seconds) [began, received] = [performance.now(), 0];
    if (performance.now() - began > seconds * 1000) throw new TooSlow(host, bytesPerSecond);
    yield chunk;
  }
}

/** Not retried immediately: the next source may be faster. */
export class TooSlow extends TransferError {
  constructor(host: string, bytesPerSecond: number) {
    const message = `${host} sends less than ${formatRate(bytesPerSecond)}`;
    super('NETWORK_TIMEOUT', message, {
      hint: 'Set a closer mirror or another route in the site.',
      transient: false,
    });
  }
}
