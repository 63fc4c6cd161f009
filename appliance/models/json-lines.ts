import { brokenOff, unexpected } from '../host/engine-exchange.ts';

/** A line of progress has two hundred bytes, a long error some thousand. */
const longestLine = 64 * 1024;
const lineFeed = 0x0a;

/**
 * Reads values of JSON that come one a line, as they come. What comes may be cut anywhere; memory
 * stays flat.
 * @throws LandfallError MODEL_FAILED for what is not JSON, not UTF-8 or does not end
 */
export async function* jsonLines(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  let rest = Buffer.alloc(0);
  for await (const chunk of body) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(lineFeed); end !== -1; end = rest.indexOf(lineFeed)) {
      const line = rest.subarray(0, end);
      rest = rest.subarray(end + 1);
      yield parse(line, false);
    }
    if (rest.length > longestLine) throw unexpected('a line that does not end');
  }
  if (rest.length > 0) yield parse(rest, true);
}

function parse(line: Buffer, last: boolean): unknown {
  if (line.length > longestLine) throw unexpected('a line that is too long');
  try {
    return JSON.parse(decoder.decode(line));
  } catch (cause) {
    // The connection may have ended in the middle of it, and may not the next time.
    throw last ? brokenOff(cause) : unexpected('a line that is not JSON', cause);
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });
