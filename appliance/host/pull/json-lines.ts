/** How whoever asked says that an answer is none. */
interface LineFailures {
  /** @param what `a line that is not JSON` */
  unexpected(what: string, cause?: unknown): Error;
  /** The answer ended in the middle of a line. */
  brokenOff(cause?: unknown): Error;
}

/** A line of progress has two hundred bytes, a long error some thousand. */
const longestLine = 64 * 1024;
const lineFeed = 0x0a;

/**
 * Reads values of JSON that come one a line, as they come. What comes may be cut anywhere; memory
 * stays flat.
 * @throws what `failures` make of that which is not JSON, not UTF-8 or does not end
 */
export async function* jsonLines(
  body: AsyncIterable<Uint8Array>,
  failures: LineFailures,
): AsyncGenerator<unknown> {
  let rest = Buffer.alloc(0);
  for await (const chunk of body) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(lineFeed); end !== -1; end = rest.indexOf(lineFeed)) {
      const line = rest.subarray(0, end);
      rest = rest.subarray(end + 1);
      yield parse(line, failures);
    }
    if (rest.length > longestLine) throw failures.unexpected('a line that does not end');
  }
  if (rest.length > 0) yield parse(rest, failures, true);
}

function parse(line: Buffer, { unexpected, brokenOff }: LineFailures, last = false): unknown {
  if (line.length > longestLine) throw unexpected('a line that is too long');
  try {
    return JSON.parse(decoder.decode(line));
  } catch (cause) {
    // The connection may have ended in the middle of it, and may not the next time.
    throw last ? brokenOff(cause) : unexpected('a line that is not JSON', cause);
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });
