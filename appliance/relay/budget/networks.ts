import type { UsageState } from './usage-event.ts';
import type { Day } from './window.ts';

/** Hashes per account and day. More are not stored. */
const maxNetworks = 100;

/**
 * The networks from which accounts were used on the current day, as keyed hashes. Other days are
 * forgotten.
 */
export class Networks {
  #day: Day;
  #accounts: Map<string, Set<string>>;

  constructor({ day, accounts }: NonNullable<UsageState['networks']> = { day: '', accounts: {} }) {
    this.#day = day;
    this.#accounts = new Map(
      Object.entries(accounts).map(([account, hashes]) => [account, new Set(hashes)]),
    );
  }

  /** Returns whether a network must be stored: it is new, and there is space. */
  isNew(account: string, day: Day, hash: string): boolean {
    if (day !== this.#day) return true;
    const hashes = this.#accounts.get(account);
    return !hashes || (hashes.size < maxNetworks && !hashes.has(hash));
  }

  add(account: string, day: Day, hash: string): void {
    if (!this.isNew(account, day, hash)) return;
    if (day !== this.#day) this.#accounts = new Map();
    this.#day = day;
    this.#accounts.set(account, (this.#accounts.get(account) ?? new Set()).add(hash));
  }

  /** Returns the number of networks on a day; 0 for a day that is not the current one. */
  count(account: string, day: Day): number {
    return day === this.#day ? (this.#accounts.get(account)?.size ?? 0) : 0;
  }

  /** Returns the state; undefined without any network. */
  state(): UsageState['networks'] {
    if (this.#accounts.size === 0) return undefined;
    const accounts = [...this.#accounts].map(([account, hashes]) => [account, [...hashes]]);
    return { day: this.#day, accounts: Object.fromEntries(accounts) };
  }
}
