import { formatBytes } from '#contract/text/format-bytes.ts';
import { TransferError } from '#http/transfer-error.ts';

/** What a download has to bring to count as alive. */
export interface Pace {
  readonly bytesPerSecond: number;
  /** How long that is averaged over. */
  readonly seconds: number;
}

/**
 * Passes a body on, and gives it up where it comes too slowly: somebody who sends a byte now and then
 * is no more use than one who is silent, which the client's own time limit sees.
 * @param host who sends it, for the message
 * @throws LandfallError NETWORK_TIMEOUT
 */
export async function* notSlowerThan(
  { bytesPerSecond, seconds }: Pace,
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

/** Not tried again at once: the next place may be faster. */
export class TooSlow extends TransferError {
  constructor(host: string, bytesPerSecond: number) {
    const message = `${host} sends less than ${formatBytes(bytesPerSecond)} a second`;
    super('NETWORK_TIMEOUT', message, {
      hint: 'Name a nearer mirror or another route in the site.',
      transient: false,
    });
  }
}
