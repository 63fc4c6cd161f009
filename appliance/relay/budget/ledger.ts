import {
  type Budget,
  type BudgetLimit,
  budgetLimitNames,
  budgetLimits,
  type Exceeded,
  type Remaining,
  type Want,
} from './budget.ts';
import { Networks } from './networks.ts';
import type { DayUse, Reservation, UsageEvent, UsageState } from './usage-event.ts';
import { type Day, dayOf, daysBefore, daysToKeep, endOf, monthOf } from './window.ts';

type LedgerState = Omit<UsageState, 'version' | 'journal'>;

/** Days by which a clock may go back without opening a window: time zones and corrections are less. */
const correction = 2;

const nothing: DayUse = { tokens: 0, estimated: 0, requests: 0, refused: 0 };

/**
 * The usage of accounts by day. Months are sums of days, so a changed budget keeps what was used. A
 * clock that is corrected backwards opens no new window: the latest day stays the current one. A clock that
 * goes back further was wrong before, so its day becomes the current one, with what was used on it.
 */
export class Ledger {
  readonly #accounts: Map<string, Map<Day, DayUse>>;
  readonly #open: Map<number, Reservation>;
  /** Held tokens by account and day. */
  readonly #held = new Map<string, Map<Day, number>>();
  #latest: Day;
  readonly networks: Networks;

  constructor(state?: LedgerState) {
    this.networks = new Networks(state?.networks);
    this.#latest = state?.latest ?? dayOf(0);
    this.#accounts = new Map(
      Object.entries(state?.accounts ?? {}).map(([account, days]) => [
        account,
        new Map(Object.entries(days)),
      ]),
    );
    this.#open = new Map();
    for (const reservation of state?.open ?? []) this.#hold(reservation);
  }

  /** Returns the current day. @param now milliseconds since 1970 */
  today(now: number): Day {
    const day = dayOf(now);
    const isBack = day < this.#latest && day < daysBefore(this.#latest, correction);
    if (day > this.#latest || isBack) this.#latest = day;
    return this.#latest;
  }

  /** Returns the event that reserves tokens and one request, or the limit that prevents it. */
  reserve(
    id: number,
    account: string,
    budget: Budget,
    { least, most }: Want,
    now: number,
  ): Extract<UsageEvent, { event: 'reserve' }> | Exceeded {
    const day = this.today(now);
    let tokens = most;
    for (const limit of budgetLimitNames) {
      const { unit, window } = budgetLimits[limit];
      const max = budget[limit];
      if (max === undefined) continue;
      const left = Math.max(0, max - this.#used(account, limit, day));
      const wanted = unit === 'tokens' ? least : 1;
      if (left < wanted) return { limit, budget: max, left, wanted, reset: endOf(window, day) };
      if (unit === 'tokens') tokens = Math.min(tokens, left);
    }
    return { event: 'reserve', id, account, day, tokens };
  }

  /** Returns what is left of a budget after everything that is used or held. */
  remaining(account: string, budget: Budget, now: number): Remaining {
    return this.remainingOn(account, budget, this.today(now));
  }

  /** Returns what is left of the windows of a day. */
  remainingOn(account: string, budget: Budget, day: Day): Remaining {
    const left: { tokens?: number; requests?: number } = {};
    for (const limit of budgetLimitNames) {
      const max = budget[limit];
      if (max === undefined) continue;
      const { unit } = budgetLimits[limit];
      const rest = Math.max(0, max - this.#used(account, limit, day));
      left[unit] = Math.min(left[unit] ?? rest, rest);
    }
    return { tokens: left.tokens, requests: left.requests };
  }

  /** Returns what is used or held of a limit in its current window. */
  used(account: string, limit: BudgetLimit, now: number): number {
    return this.#used(account, limit, this.today(now));
  }

  /** Applies an event that happened or was read. Events of unknown reservations have no effect. */
  apply(event: UsageEvent): void {
    switch (event.event) {
      case 'reserve': {
        const { id, account, day, tokens } = event;
        this.#latest = day;
        this.#add(account, day, { requests: 1 });
        this.#hold({ id, account, day, tokens });
        return;
      }
      case 'grow': {
        const held = this.#drop(event.id);
        if (held) this.#hold({ ...held, tokens: held.tokens + event.tokens });
        return;
      }
      case 'settle': {
        const held = this.#drop(event.id);
        const { tokens, estimated } = event;
        if (held) this.#add(held.account, held.day, { tokens, estimated: estimated ? tokens : 0 });
        return;
      }
      case 'release': {
        const held = this.#drop(event.id);
        if (held) this.#add(held.account, held.day, { requests: -1 });
        return;
      }
      case 'refuse':
        this.#add(event.account, event.day, { refused: 1 });
        return;
      case 'network':
        this.networks.add(event.account, event.day, event.hash);
    }
  }

  /** Counts every reservation as used: those of a process that has died. */
  chargeOpen(): void {
    for (const { id, tokens } of [...this.#open.values()])
      this.apply({ event: 'settle', id, tokens, estimated: true });
  }

  /** Removes old days, and accounts without any. */
  prune(): void {
    const used = [...this.#accounts.values()].flatMap((days) => [...days.keys()]);
    const kept = daysToKeep(used, this.#latest);
    for (const [account, days] of this.#accounts) {
      for (const day of days.keys()) if (!kept.has(day)) days.delete(day);
      if (days.size === 0) this.#accounts.delete(account);
    }
  }

  /** Returns the state without its version and journal. */
  state(): LedgerState {
    const accounts = [...this.#accounts].map(([name, days]) => [name, Object.fromEntries(days)]);
    return {
      latest: this.#latest,
      accounts: Object.fromEntries(accounts),
      open: [...this.#open.values()],
      networks: this.networks.state(),
    };
  }

  /** Returns the names of all accounts. */
  get names(): string[] {
    return [...this.#accounts.keys()];
  }

  /** Returns the sum of an account from a day on. Open requests count with the tokens they hold. */
  total(account: string, from: Day): DayUse {
    const days = [...(this.#accounts.get(account) ?? [])].filter(([day]) => day >= from);
    const heldOn = this.#held.get(account);
    return days.reduce((sum, [day, use]) => {
      const held = heldOn?.get(day) ?? 0;
      return {
        tokens: sum.tokens + use.tokens + held,
        estimated: sum.estimated + use.estimated + held,
        requests: sum.requests + use.requests,
        refused: sum.refused + use.refused,
      };
    }, nothing);
  }

  /** Returns the number of requests that are not settled. */
  get pending(): number {
    return this.#open.size;
  }

  /** Returns the number of accounts. */
  get size(): number {
    return this.#accounts.size;
  }

  has(account: string): boolean {
    return this.#accounts.has(account);
  }

  #used(account: string, limit: BudgetLimit, day: Day): number {
    const { unit, window } = budgetLimits[limit];
    const days = this.#accounts.get(account);
    if (!days) return 0;
    const held = unit === 'tokens' ? this.#held.get(account) : undefined;
    const useOf = (each: Day) => (days.get(each)?.[unit] ?? 0) + (held?.get(each) ?? 0);
    if (window === 'day') return useOf(day);
    let sum = 0;
    const month = monthOf(day);
    for (const each of days.keys()) if (each.startsWith(month)) sum += useOf(each);
    return sum;
  }

  #add(account: string, day: Day, more: Partial<DayUse>): void {
    const days = this.#accounts.get(account) ?? new Map<Day, DayUse>();
    this.#accounts.set(account, days);
    const use = days.get(day) ?? nothing;
    days.set(day, {
      tokens: use.tokens + (more.tokens ?? 0),
      estimated: use.estimated + (more.estimated ?? 0),
      requests: Math.max(0, use.requests + (more.requests ?? 0)),
      refused: use.refused + (more.refused ?? 0),
    });
  }

  #hold(reservation: Reservation): void {
    this.#open.set(reservation.id, reservation);
    this.#addHeld(reservation, reservation.tokens);
  }

  #drop(id: number): Reservation | undefined {
    const reservation = this.#open.get(id);
    if (!reservation) return undefined;
    this.#open.delete(id);
    this.#addHeld(reservation, -reservation.tokens);
    return reservation;
  }

  #addHeld({ account, day }: Reservation, tokens: number): void {
    const days = this.#held.get(account) ?? new Map<Day, number>();
    this.#held.set(account, days);
    const held = (days.get(day) ?? 0) + tokens;
    if (held === 0) days.delete(day);
    else days.set(day, held);
    if (days.size === 0) this.#held.delete(account);
  }
}
