import type { Format } from './formats/format.ts';
import { refusals } from './refusal.ts';

/** Why a stream ends before the answer does. */
type BreakReason = 'provider_broke_off' | 'provider_timeout';

/** Returns the last event of a stream that breaks; undefined for an answer that has no events. */
export type LastEvent = (reason: BreakReason) => Uint8Array | undefined;

const eventStream = /^text\/event-stream\b/i;
const jsonLines = /^application\/(?:x-)?(?:ndjson|jsonl)\b/i;

/**
 * Returns how a stream of this type ends that the provider breaks off: with an error in the format of the
 * client, which shows it. A connection that only closes leaves an answer that looks complete in some clients
 * and an error of their HTTP library in others.
 */
export function lastEventOf(type: string, format: Format): LastEvent {
  return (reason) => {
    const [status, kind, message] = refusals[reason];
    const error = format.errorBody(status, { message, type: kind, param: null, code: reason });
    const text = JSON.stringify(error);
    if (jsonLines.test(type)) return new TextEncoder().encode(`${text}\n`);
    if (!eventStream.test(type)) return undefined;
    // Anthropic names its events. A line break ends an event of which only a part has passed.
    const name = 'type' in error ? `event: ${error.type}\n` : '';
    return new TextEncoder().encode(`\n${name}data: ${text}\n\n`);
  };
}
