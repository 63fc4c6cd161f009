import type { LastEvent } from './broken-stream.ts';
import type { Ending } from './env.ts';
import type { Body } from './message.ts';
import type { Passage } from './passage.ts';
import { type Filter, nothing } from './redact/redaction.ts';
import { StallTimer } from './stall-timer.ts';

/**
 * Streams a body chunk by chunk. Reads a chunk only when the client has taken the previous one. When
 * the body fails, a stream ends with an error event, and any other body of the client fails too: a truncated
 * response never looks complete.
 * @param filter removes what the client must not see
 * @param idle stall timeout of the provider, in milliseconds
 * @param lastEvent of a stream that breaks
 */
export async function* passThrough(
  body: Body,
  filter: Filter,
  passage: Passage,
  idle: number,
  lastEvent: LastEvent,
): AsyncGenerator<Uint8Array, void> {
  const stall = new StallTimer(idle, () => passage.cut());
  // Of a client that has left: the last chunk was not taken.
  let ending: Ending = 'aborted';
  try {
    stall.begin();
    for await (const chunk of body) {
      stall.end();
      const passed = filter.push(chunk);
      passage.count(passed.byteLength);
      if (passed.byteLength > 0) yield passed;
      // The filter may end the body before the provider does.
      if (filter.isEnded) break;
      stall.begin();
    }
    stall.end();
    const last = filter.isEnded ? nothing : filter.end();
    passage.count(last.byteLength);
    if (last.byteLength > 0) yield last;
    ending = 'complete';
  } catch (error) {
    ending = stall.isOver ? 'timeout' : 'broken';
    const event = passage.isOver
      ? undefined
      : lastEvent(stall.isOver ? 'provider_timeout' : 'provider_broke_off');
    if (!event) throw error;
    passage.end(ending);
    yield event;
  } finally {
    stall.close();
    passage.end(ending);
  }
}
