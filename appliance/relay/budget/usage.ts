import type { Budget, Exceeded, Remaining, Want } from './budget.ts';
import type { Ledger } from './ledger.ts';
import type { Reservation, UsageEvent } from './usage-event.ts';
import type { Day } from './window.ts';

/** Where events are kept. */
export interface Journal {
  /**
   * Writes an event without waiting for it.
   * @param mayWait whether it can wait for others: if it is lost, the usage is higher and not lower
   */
  note(event: UsageEvent, mayWait: boolean): void;
  /** Writes an event and returns whether it is on disk. */
  sync(event: UsageEvent): Promise<boolean>;
}

/** The tokens that are held for one request. Settle or release it exactly once; later calls do nothing. */
export interface Hold {
  /** Tokens that are held. */
  readonly tokens: number;
  /** Holds more tokens, up to what is left, and returns how many. */
  grow(tokens: number): number;
  /** Replaces the held tokens by those that were used. */
  settle(tokens: number, estimated: boolean): void;
  /** Returns the tokens and the request: nothing was sent to the provider. */
  release(): void;
}

/** Accounts in the store. More people share one account, so that the store stays bounded. */
const maxAccounts = 20_000;

/** The usage of all keys with a budget. */
export class Usage {
  readonly #ledger: Ledger;
  readonly #journal: Journal;
  readonly #now: () => number;
  #nextId = 0;

  /** @param now milliseconds since 1970 */
  constructor(ledger: Ledger, journal: Journal, now: () => number) {
    this.#ledger = ledger;
    this.#journal = journal;
    this.#now = now;
  }

  /**
   * Holds tokens and one request of a budget, on disk. Returns the limit that prevents it; undefined
   * if the store is unusable.
   */
  async reserve(
    account: string,
    budget: Budget,
    want: Want,
  ): Promise<Hold | { readonly exceeded: Exceeded } | undefined> {
    const id = this.#nextId;
    this.#nextId += 1;
    const event = this.#ledger.reserve(id, account, budget, want, this.#now());
    if (!('event' in event)) {
      this.#write({ event: 'refuse', account, day: this.#ledger.today(this.#now()) });
      return { exceeded: event };
    }
    this.#ledger.apply(event);
    if (await this.#journal.sync(event)) return this.#holdOf(event, budget);
    this.#ledger.apply({ event: 'release', id });
    return undefined;
  }

  /** Returns what is left of a budget. */
  remaining(account: string, budget: Budget): Remaining {
    return this.#ledger.remaining(account, budget, this.#now());
  }

  /**
   * Stores that an account was used from a network.
   * @param hashOf returns the keyed hash of the network on a day; undefined for an unknown network
   */
  noteNetwork(account: string, hashOf: (day: Day) => string | undefined): void {
    const day = this.#ledger.today(this.#now());
    const hash = hashOf(day);
    if (hash === undefined || !this.#ledger.networks.isNew(account, day, hash)) return;
    this.#write({ event: 'network', account, day, hash });
  }

  /** Returns the account of a person: their own, or the shared one when there are too many. */
  accountOf(key: string, person: string): string {
    const own = `${key}/${person}`;
    return this.#ledger.has(own) || this.#ledger.size < maxAccounts ? own : `${key}/others`;
  }

  #holdOf({ id, account, day, tokens: reserved }: Reservation, budget: Budget): Hold {
    let tokens = reserved;
    return {
      get tokens() {
        return tokens;
      },
      grow: (wanted) => {
        // They count on the day on which the request began, also after midnight.
        const left = this.#ledger.remainingOn(account, budget, day).tokens ?? wanted;
        const more = Math.min(wanted, left);
        if (more > 0) this.#write({ event: 'grow', id, tokens: more }, false);
        tokens += more;
        return more;
      },
      settle: (used, estimated) =>
        this.#write({ event: 'settle', id, tokens: used, estimated }, used <= tokens),
      release: () => this.#write({ event: 'release', id }),
    };
  }

  #write(event: UsageEvent, mayWait = true): void {
    this.#ledger.apply(event);
    this.#journal.note(event, mayWait);
  }
}
