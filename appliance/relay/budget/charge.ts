import { concatBytes } from '#contract/text/bytes.ts';
import type { Filter } from '../redact/redaction.ts';
import { closingOf } from './closing.ts';
import { LineMeter } from './line-meter.ts';
import { JsonMeter, type Meter } from './meter.ts';
import type { CountedRequest } from './request.ts';
import type { Hold } from './usage.ts';

/** Tokens by which a stream without a limit extends its reservation. */
const step = 1024;
/** A stream whose estimate is more than its limit by this factor has no limit: no text has such tokens. */
const ignoring = 4;

/**
 * The cost of one request with a budget: held while the request runs, and settled exactly once when it
 * ends. Until then a crash counts what is held.
 */
export class Charge {
  /** Without its body, whose memory is freed when the answer begins. */
  readonly #request: Pick<CountedRequest, 'hidesUsage' | 'prompt' | 'isSingle' | 'hasText'>;
  readonly #hold: Hold;
  #state: 'unsent' | 'sent' | 'failed' | 'answered' | 'over' = 'unsent';
  #meter: Meter | undefined;
  /** Whether the answer was received to its end. */
  #isComplete = false;
  #isLimited: boolean;

  constructor(request: CountedRequest, hold: Hold) {
    const { hidesUsage, prompt, isSingle, hasText, isLimited } = request;
    this.#request = { hidesUsage, prompt, isSingle, hasText };
    this.#hold = hold;
    this.#isLimited = isLimited;
  }

  /** Tokens that are held. */
  get held(): number {
    return this.#hold.tokens;
  }

  /** The provider does not limit the answer: it refused the field. */
  unlimited(): void {
    this.#isLimited = false;
  }

  /** The request is about to be sent. */
  sent(): void {
    if (this.#state !== 'over') this.#state = 'sent';
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
    let isEnded = false;
    return {
      push: (chunk) => {
        const passed = meter.push(chunk);
        if (!isStream || meter.isFinished || this.#isCovered(meter)) return passed;
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

  /**
   * Charges what the provider reported of the whole answer. Without that, it may have counted all that
   * is held: models think in secret, and a provider may finish an answer after the client has left.
   */
  #settle(): void {
    const { prompt, isSingle, hasText } = this.#request;
    const meter = this.#meter;
    const reported = meter?.reported;
    // Of several answers, the last may end after the first.
    const isFinal = meter?.isFinal === true && (isSingle || this.#isComplete);
    const isReported = reported?.isValid === true && isFinal;
    const { tokens = 0 } = reported ?? {};
    if (isReported) {
      this.#hold.settle(tokens, false);
      return;
    }
    const answer = this.#hold.tokens - prompt;
    const seen = this.#isLimited || !hasText ? 0 : (meter?.estimate ?? 0);
    const most = (reported?.prompt || prompt) + Math.max(answer, seen);
    this.#hold.settle(Math.max(most, tokens), true);
  }

  #isCovered({ estimate }: Meter): boolean {
    const answer = this.#hold.tokens - this.#request.prompt;
    const missing = estimate - answer;
    if (missing <= 0 || (this.#isLimited && estimate <= ignoring * answer)) return true;
    this.#isLimited = false;
    return this.#hold.grow(Math.max(missing, step)) >= missing;
  }
}

/** Returns whether an answer has text to count. An answer of audio costs its prompt. */
function hasText(type: string): boolean {
  return type === '' || /[/+]json\b|^text\//i.test(type);
}
