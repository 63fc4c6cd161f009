import { concatBytes } from '#contract/text/bytes.ts';
import type { Filter } from '../redact/redaction.ts';
import { closingOf } from './closing.ts';
import { JsonMeter, LineMeter, type Meter } from './meter.ts';
import type { CountedRequest } from './request.ts';
import type { Hold } from './usage.ts';

/** Tokens by which a stream without a limit extends its reservation. */
const step = 1024;

/**
 * The cost of one request with a budget: held while the request runs, and settled exactly once when it
 * ends. Until then a crash counts what is held.
 */
export class Charge {
  readonly #request: CountedRequest;
  readonly #hold: Hold;
  #state: 'unsent' | 'sent' | 'failed' | 'answered' | 'over' = 'unsent';
  #meter: Meter | undefined;
  /** Whether the answer was received to its end. */
  #isComplete = false;

  constructor(request: CountedRequest, hold: Hold) {
    this.#request = request;
    this.#hold = hold;
  }

  /** The request is about to be sent. */
  sent(): void {
    this.#state = 'sent';
  }

  /** The provider was not reached: nothing is charged. */
  unsent(): void {
    if (this.#state !== 'over') this.#state = 'unsent';
  }

  /** The provider returned an error: no tokens are charged. */
  failed(): void {
    if (this.#state !== 'over') this.#state = 'failed';
  }

  /**
   * Returns a filter that counts an answer. It may end a stream.
   * @param type content type
   */
  filter(type: string): Filter {
    const isStream = /^(?:text\/event-stream|application\/(?:x-)?(?:ndjson|jsonl))\b/i.test(type);
    const meter = isStream ? new LineMeter(this.#request.hidesUsage) : new JsonMeter();
    if (isStream || hasText(type)) this.#meter = meter;
    if (this.#state !== 'over') this.#state = 'answered';
    const mayEnd = isStream && !this.#request.isLimited;
    let isEnded = false;
    return {
      push: (chunk) => {
        const passed = meter.push(chunk);
        if (!mayEnd || meter.isFinished || this.#isCovered(meter)) return passed;
        isEnded = true;
        return concatBytes(passed, closingOf(meter.last));
      },
      end: () => {
        const rest = meter.end();
        this.#isComplete = true;
        return rest;
      },
      get isEnded() {
        return isEnded;
      },
    };
  }

  /** Settles the request. Call it when the request has ended; later calls do nothing. */
  finish(): void {
    const state = this.#state;
    this.#state = 'over';
    if (state === 'over') return;
    if (state === 'unsent') this.#hold.release();
    else if (state === 'failed') this.#hold.settle(0, false);
    else this.#settle();
  }

  #settle(): void {
    const { prompt, hasText } = this.#request;
    const meter = this.#meter;
    const { tokens = 0, isValid = false } = meter?.reported ?? {};
    const isReported = isValid && (this.#isComplete || meter?.isFinal === true);
    const estimate = prompt + (hasText ? (meter?.estimate ?? 0) : 0);
    this.#hold.settle(isReported ? tokens : Math.max(estimate, tokens), !isReported);
  }

  #isCovered(meter: Meter): boolean {
    const missing = this.#request.prompt + meter.estimate - this.#hold.tokens;
    if (missing <= 0) return true;
    return this.#hold.grow(Math.max(missing, step)) >= missing;
  }
}

/** Returns whether an answer has text to count. An answer of audio costs its prompt. */
function hasText(type: string): boolean {
  return type === '' || /[/+]json\b|^text\//i.test(type);
}
