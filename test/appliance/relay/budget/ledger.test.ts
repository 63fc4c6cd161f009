import { describe, expect, it } from 'vitest';
import type { Budget } from '../../../../appliance/relay/budget/budget.ts';
import { Ledger } from '../../../../appliance/relay/budget/ledger.ts';
import { dayOf } from '../../../../appliance/relay/budget/window.ts';

const noon = Date.parse('2027-03-31T12:00:00Z');
const day = 86_400_000;

let nextId = 0;

/** Reserves and applies; returns the tokens that are held, or the limit that prevents it. */
function reserve(ledger: Ledger, budget: Budget, tokens: number, now = noon, least = tokens) {
  const id = nextId++;
  const event = ledger.reserve(id, 'me', budget, { least, most: tokens }, now);
  if (!('event' in event)) return event;
  ledger.apply(event);
  return event;
}

function settle(ledger: Ledger, reserved: object, tokens: number): void {
  if (!('id' in reserved)) throw new Error('it was refused');
  ledger.apply({ event: 'settle', id: Number(reserved.id), tokens, estimated: false });
}

describe('a ledger', () => {
  it('refuses what does not fit beside the requests in progress', () => {
    const ledger = new Ledger();
    const budget = { tokens_per_day: 100 };
    settle(ledger, reserve(ledger, budget, 60), 30);
    expect(reserve(ledger, budget, 50)).toMatchObject({ tokens: 50 });
    expect(reserve(ledger, budget, 21)).toEqual({
      limit: 'tokens_per_day',
      budget: 100,
      left: 20,
      wanted: 21,
      reset: Date.parse('2027-04-01'),
    });
    expect(ledger.remaining('me', budget, noon)).toEqual({ tokens: 20, requests: undefined });
  });

  it('holds what is left for a request that needs less', () => {
    const ledger = new Ledger();
    const budget = { tokens_per_day: 100, tokens_per_month: 70 };
    expect(reserve(ledger, budget, 90, noon, 10)).toMatchObject({ tokens: 70 });
    expect(reserve(ledger, budget, 90, noon, 10)).toMatchObject({ limit: 'tokens_per_month' });
  });

  it('opens a new day at midnight, and a new month on its first day', () => {
    const ledger = new Ledger();
    const budget = { tokens_per_day: 100, tokens_per_month: 150 };
    const start = Date.parse('2027-03-30T12:00:00Z');
    settle(ledger, reserve(ledger, budget, 100, start), 100);
    expect(reserve(ledger, budget, 1, start)).toMatchObject({ limit: 'tokens_per_day' });
    settle(ledger, reserve(ledger, budget, 50, start + day), 50);
    expect(reserve(ledger, budget, 1, start + day)).toMatchObject({ limit: 'tokens_per_month' });
    expect(reserve(ledger, budget, 100, start + 2 * day)).toMatchObject({ tokens: 100 });
  });

  it('opens no new window when the clock is corrected backwards', () => {
    const ledger = new Ledger();
    const budget = { tokens_per_day: 100 };
    settle(ledger, reserve(ledger, budget, 100), 100);
    for (const now of [noon - 3_600_000, noon - day, noon - 2 * day])
      expect(reserve(ledger, budget, 1, now)).toMatchObject({ limit: 'tokens_per_day' });
  });

  it.each([50, -50])('survives a clock that jumps %i years and comes back', (years) => {
    const budget = { tokens_per_day: 100, tokens_per_month: 250 };
    const wrong = noon + years * 365 * day;
    let ledger = new Ledger();
    settle(ledger, reserve(ledger, budget, 100), 100);
    settle(ledger, reserve(ledger, budget, 10, wrong), 10);
    ledger.prune();
    ledger = new Ledger(ledger.state());
    // What was used on the day still counts, and the next days have windows of their own.
    expect(reserve(ledger, budget, 1, noon)).toMatchObject({ limit: 'tokens_per_day' });
    expect(ledger.used('me', 'tokens_per_month', noon)).toBe(100);
    expect(reserve(ledger, budget, 100, noon + day)).toMatchObject({ tokens: 100 });
  });

  it('keeps what a window has used when the budget changes', () => {
    const ledger = new Ledger();
    settle(ledger, reserve(ledger, { tokens_per_day: 100 }, 80), 80);
    expect(ledger.remaining('me', { tokens_per_day: 200 }, noon).tokens).toBe(120);
    expect(ledger.remaining('me', { tokens_per_month: 50 }, noon).tokens).toBe(0);
  });

  it('counts requests, without those that were released', () => {
    const ledger = new Ledger();
    const budget = { requests_per_day: 2 };
    const first = reserve(ledger, budget, 5);
    reserve(ledger, budget, 5);
    expect(reserve(ledger, budget, 5)).toMatchObject({ limit: 'requests_per_day', wanted: 1 });
    ledger.apply({ event: 'release', id: 'id' in first ? first.id : -1 });
    expect(ledger.remaining('me', budget, noon)).toEqual({ tokens: undefined, requests: 1 });
  });

  it('charges a request to the day on which it began', () => {
    const ledger = new Ledger();
    const budget = { tokens_per_day: 100 };
    const reserved = reserve(ledger, budget, 60);
    ledger.today(noon + day);
    settle(ledger, reserved, 90);
    expect(ledger.remaining('me', budget, noon + day).tokens).toBe(100);
    expect(ledger.state().accounts.me).toEqual({
      '2027-03-31': { tokens: 90, estimated: 0, requests: 1, refused: 0 },
    });
  });

  it('forgets days after 62 later days with requests, and accounts without days', () => {
    const ledger = new Ledger();
    reserve(ledger, {}, 1);
    const useOther = (days: number) => {
      const id = nextId++;
      const date = dayOf(noon + days * day);
      ledger.apply({ event: 'reserve', id, account: 'other', day: date, tokens: 1 });
    };
    for (let days = 1; days < 62; days += 1) useOther(days);
    ledger.prune();
    expect(ledger.has('me')).toBe(true);
    useOther(62);
    ledger.prune();
    expect(ledger.has('me')).toBe(false);
    expect(ledger.has('other')).toBe(true);
  });
});
