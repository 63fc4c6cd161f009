import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ledger } from '../../../../appliance/relay/budget/ledger.ts';
import { type Hold, type Journal, Usage } from '../../../../appliance/relay/budget/usage.ts';
import { readJournal, type UsageEvent } from '../../../../appliance/relay/budget/usage-event.ts';
import { monthOf } from '../../../../appliance/relay/budget/window.ts';

/** A journal in memory that a power failure cuts at the last sync, or anywhere after it. */
class MemoryJournal implements Journal {
  text = '';
  synced = 0;
  isFull = false;

  note(event: UsageEvent): void {
    if (!this.isFull) this.text += `${JSON.stringify(event)}\n`;
  }

  async sync(event: UsageEvent): Promise<boolean> {
    this.note(event);
    if (!this.isFull) this.synced = this.text.length;
    return !this.isFull;
  }
}

/** A request in progress or settled, as the test knows it. */
interface Known {
  readonly account: string;
  readonly day: string;
  readonly hold: Hold;
  /** Tokens that were synced before the request was sent. */
  readonly reserved: number;
  /** Set when settled: what the provider reported. */
  reported?: number;
  /** What is known to be on disk of it. */
  certain?: number;
  /** Whether the process of the request is still running. */
  isOpen: boolean;
}

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      act: fc.constant('reserve' as const),
      account: fc.constantFrom('phone', 'laptop'),
      least: fc.integer({ min: 1, max: 60 }),
      more: fc.nat(40),
    }),
  },
  ...(['settle', 'grow', 'release', 'power'] as const).map((act) => ({
    weight: act === 'settle' ? 4 : 1,
    arbitrary: fc.record({ act: fc.constant(act), which: fc.nat(), tokens: fc.nat(120) }),
  })),
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant('clock' as const),
      hours: fc.integer({ min: -60, max: 20 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('kill' as const) }) },
);

const budget = { tokens_per_day: 200, tokens_per_month: 500, requests_per_day: 8 };

describe('the usage of keys', () => {
  it('stays between what providers reported and the budget for any order of events', async () => {
    let refusals = 0;
    let settled = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 20, maxLength: 80, size: 'max' }),
        async (steps) => {
          let now = Date.parse('2027-03-20T12:00:00Z');
          let journal = new MemoryJournal();
          let ledger = new Ledger();
          let base = ledger.state();
          let usage = new Usage(ledger, journal, () => now);
          let requests: Known[] = [];
          const open = () => requests.filter(({ isOpen }) => isOpen);
          const pick = (which: number) => open()[which % Math.max(1, open().length)];

          /** Reads the state and the journal as a new process does, and compacts them. */
          const restart = (text: string) => {
            const events = readJournal(text);
            if (events === 'damaged') throw new Error('the journal is damaged');
            ledger = new Ledger(base);
            for (const event of events) ledger.apply(event);
            ledger.chargeOpen();
            base = structuredClone(ledger.state());
            journal = new MemoryJournal();
            usage = new Usage(ledger, journal, () => now);
            for (const request of requests) request.isOpen = false;
          };

          const check = () => {
            const day = ledger.today(now);
            for (const account of ['phone', 'laptop']) {
              const own = requests.filter((each) => each.account === account);
              for (const [limit, isInside] of [
                ['tokens_per_day', (each: Known) => each.day === day],
                ['tokens_per_month', (each: Known) => monthOf(each.day) === monthOf(day)],
              ] as const) {
                const inside = own.filter(isInside);
                const excess = sum(inside, ({ reported = 0, hold }) =>
                  Math.max(0, reported - hold.tokens),
                );
                const certain = sum(inside, (each) => each.certain ?? 0);
                const used = ledger.used(account, limit, now);
                expect(used).toBeLessThanOrEqual(budget[limit] + excess);
                expect(used).toBeGreaterThanOrEqual(certain);
              }
            }
          };

          for (const each of steps) {
            if (each.act === 'clock') {
              now += each.hours * 3_600_000;
            } else if (each.act === 'kill') restart(journal.text);
            else if (each.act === 'power') {
              const end =
                journal.synced + (each.which % (journal.text.length - journal.synced + 1));
              const lost = journal.text.slice(end) !== '';
              restart(journal.text.slice(0, end));
              // A reservation was synced; its settlement may be lost, and then the reservation counts.
              if (lost)
                for (const request of requests)
                  if (request.certain !== undefined)
                    request.certain = Math.min(request.certain, request.reserved);
            } else if (each.act === 'reserve') {
              const { account, least, more } = each;
              const hold = await usage.reserve(account, budget, { least, most: least + more });
              if (!hold) throw new Error('the journal is writable');
              if ('exceeded' in hold) refusals += 1;
              else {
                const day = ledger.today(now);
                requests.push({ account, day, hold, reserved: hold.tokens, isOpen: true });
              }
            } else {
              const request = pick(each.which);
              if (!request) continue;
              if (each.act === 'grow') request.hold.grow(each.tokens);
              else if (each.act === 'release') {
                request.hold.release();
                requests = requests.filter((other) => other !== request);
              } else {
                settled += 1;
                request.reported = each.tokens;
                request.certain = each.tokens;
                request.isOpen = false;
                request.hold.settle(each.tokens, false);
              }
            }
            check();
          }
        },
      ),
      { numRuns: 300 },
    );
    expect(Math.min(refusals, settled)).toBeGreaterThan(100);
  });

  // Regression: after midnight, the budget of the next day decided.
  it('holds no more than what is left on the day on which the request began', async () => {
    let now = Date.parse('2027-03-20T12:00:00Z');
    const usage = new Usage(new Ledger(), new MemoryJournal(), () => now);
    const hold = await usage.reserve('me', { tokens_per_day: 100 }, { least: 60, most: 60 });
    now += 86_400_000;
    expect(hold && 'grow' in hold && hold.grow(100)).toBe(40);
  });

  it('holds nothing when the journal cannot be written', async () => {
    const journal = new MemoryJournal();
    journal.isFull = true;
    const usage = new Usage(new Ledger(), journal, () => 0);
    const day = { tokens_per_day: 100 };
    expect(await usage.reserve('me', day, { least: 10, most: 10 })).toBeUndefined();
    expect(usage.remaining('me', day)).toEqual({ tokens: 100, requests: undefined });
  });

  it('gives the rest to requests that arrive together', async () => {
    const usage = new Usage(new Ledger(), new MemoryJournal(), () => 0);
    const day = { tokens_per_day: 105 };
    const holds = await Promise.all(
      Array.from({ length: 50 }, () => usage.reserve('me', day, { least: 10, most: 10 })),
    );
    expect(holds.filter((hold) => hold && 'tokens' in hold)).toHaveLength(10);
  });

  it('extends a reservation up to the rest', async () => {
    const usage = new Usage(new Ledger(), new MemoryJournal(), () => 0);
    const hold = await usage.reserve('me', { tokens_per_day: 100 }, { least: 1, most: 70 });
    if (!hold || 'exceeded' in hold) throw new Error('it was refused');
    expect([hold.grow(20), hold.grow(20), hold.grow(20), hold.tokens]).toEqual([20, 10, 0, 100]);
  });

  it('lets people share an account when the store has very many', () => {
    const ledger = new Ledger();
    for (let id = 0; id < 20_000; id += 1)
      ledger.apply({ event: 'refuse', account: `ui/${id}`, day: '2027-03-31' });
    const usage = new Usage(ledger, new MemoryJournal(), () => 0);
    expect(usage.accountOf('ui', '7')).toBe('ui/7');
    expect(usage.accountOf('ui', 'new')).toBe('ui/others');
  });
});

function sum<Item>(items: readonly Item[], numberOf: (item: Item) => number): number {
  return items.reduce((all, item) => all + numberOf(item), 0);
}
