import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Scheduler, smallBytes } from '#http/schedule.ts';

type Permit = Awaited<ReturnType<Scheduler['acquire']>>;

const large = smallBytes + 1;
const settle = () => new Promise(setImmediate);

/** Requests slots and records the order in which they are granted. */
function asking(scheduler: Scheduler) {
  const given: string[] = [];
  const permits = new Map<string, Permit>();
  const ask = (name: string, bytes: number, host?: string) => {
    void scheduler.acquire({ bytes, host }).then((permit) => {
      given.push(name);
      permits.set(name, permit);
    });
  };
  const release = async (name: string) => {
    permits.get(name)?.release();
    await settle();
  };
  return { ask, release, given };
}

describe('the order of requests in a scheduler', () => {
  it('orders requests by size, the largest first', async () => {
    const { ask, release, given } = asking(new Scheduler({ overall: 1 }));
    ask('first', large);
    for (const [name, bytes] of Object.entries({ b: 2, d: 4, a: 1, c: 3 }))
      ask(name, large + bytes);
    await settle();
    for (const name of ['first', 'd', 'c', 'b']) await release(name);
    expect(given).toEqual(['first', 'd', 'c', 'b', 'a']);
  });

  it('serves requests of equal sizes in the order of their arrival', async () => {
    const { ask, release, given } = asking(new Scheduler({ overall: 1 }));
    for (const name of ['a', 'b', 'c']) ask(name, large);
    await settle();
    for (const name of ['a', 'b']) await release(name);
    expect(given).toEqual(['a', 'b', 'c']);
  });

  it('skips a host without a free slot', async () => {
    const { ask, given } = asking(new Scheduler({ overall: 12, perHost: 1 }));
    ask('one', large + 9, 'a');
    ask('two', large + 8, 'a');
    ask('three', large, 'b');
    await settle();
    expect(given).toEqual(['one', 'three']);
  });
});

describe('the slot for small requests', () => {
  it('keeps the slot for small requests free of large requests', async () => {
    const { ask, given } = asking(new Scheduler({ overall: 3 }));
    for (const name of ['a', 'b', 'c']) ask(name, large);
    ask('small', smallBytes);
    await settle();
    expect(given).toEqual(['a', 'b', 'small']);
  });

  it('exists for each host too', async () => {
    const { ask, given } = asking(new Scheduler({ perHost: 2 }));
    for (const name of ['a', 'b']) ask(name, large, 'host');
    ask('small', 0, 'host');
    await settle();
    expect(given).toEqual(['a', 'small']);
  });

  it('gives the slot for small requests to large requests if there is only one slot', async () => {
    const { ask, given } = asking(new Scheduler({ overall: 1, perHost: 1 }));
    ask('large', large, 'host');
    await settle();
    expect(given).toEqual(['large']);
  });

  it('serves small requests in the other slots too', async () => {
    const { ask, given } = asking(new Scheduler({ overall: 3 }));
    for (const name of ['a', 'b', 'c']) ask(name, 1);
    await settle();
    expect(given).toEqual(['a', 'b', 'c']);
  });
});

describe('a permit', () => {
  it('frees its slot once, even if it is released repeatedly', async () => {
    const { ask, release, given } = asking(new Scheduler({ overall: 1 }));
    for (const name of ['a', 'b', 'c']) ask(name, large);
    await settle();
    await release('a');
    await release('a');
    expect(given).toEqual(['a', 'b']);
  });
});

describe('a cancelled request for a slot', () => {
  const reason = new Error('enough');

  it('rejects a request for a slot that was cancelled before', async () => {
    const scheduler = new Scheduler({ overall: 1 });
    const asked = scheduler.acquire({ bytes: 1 }, AbortSignal.abort(reason));
    await expect(asked).rejects.toBe(reason);
    await scheduler.acquire({ bytes: 1 });
  });

  it('leaves the queue if it is waiting', async () => {
    const scheduler = new Scheduler({ overall: 1 });
    const first = await scheduler.acquire({ bytes: large });
    const controller = new AbortController();
    const second = scheduler.acquire({ bytes: large + 1 }, controller.signal);
    const third = scheduler.acquire({ bytes: large });
    controller.abort(reason);
    await expect(second).rejects.toBe(reason);
    first.release();
    await third;
  });

  it('keeps its slot if it already has one', async () => {
    const scheduler = new Scheduler({ overall: 1 });
    const controller = new AbortController();
    const permit = await scheduler.acquire({ bytes: 1 }, controller.signal);
    controller.abort(reason);
    const { ask, given } = asking(scheduler);
    ask('next', 1);
    await settle();
    expect(given).toEqual([]);
    permit.release();
    await settle();
    expect(given).toEqual(['next']);
  });
});

interface Demanded {
  readonly host: string | undefined;
  readonly bytes: number;
}

const demands: fc.Arbitrary<Demanded[]> = fc.array(
  fc.record({
    host: fc.constantFrom('a', 'b', 'c', undefined),
    bytes: fc.oneof(fc.nat(smallBytes), fc.integer({ min: large, max: large * 100 })),
  }),
  { minLength: 1, maxLength: 60 },
);
const isLarge = ({ bytes }: Demanded) => bytes > smallBytes;

describe('any order of requests, releases and cancellations', () => {
  it('respects the limits, leaves no usable slot empty, and serves all requests', async () => {
    const property = fc.asyncProperty(
      demands,
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 4 }),
      fc.infiniteStream(fc.nat()),
      async (all, overall, perHost, choices) => {
        const scheduler = new Scheduler({ overall, perHost });
        const running = new Map<Demanded, Permit>();
        const waiting = new Map<Demanded, AbortController>();
        const cancelled = new Set<Demanded>();
        for (const demand of all) {
          const controller = new AbortController();
          waiting.set(demand, controller);
          const granted = scheduler.acquire(demand, controller.signal).then((permit) => {
            running.set(demand, permit);
            waiting.delete(demand);
          });
          granted.catch(() => cancelled.add(demand));
        }
        const fits = (demand: Demanded, bound: number, others: Demanded[]) =>
          others.length < bound &&
          (!isLarge(demand) || others.filter(isLarge).length < Math.max(1, bound - 1));
        let served = 0;
        for (;;) {
          await settle();
          const now = [...running.keys()];
          const at = (host?: string) =>
            now.filter((one) => host !== undefined && one.host === host);
          expect(now.length).toBeLessThanOrEqual(overall);
          for (const { host } of now) expect(at(host).length).toBeLessThanOrEqual(perHost);
          for (const demand of waiting.keys()) {
            const couldRun = fits(demand, overall, now) && fits(demand, perHost, at(demand.host));
            expect(couldRun).toBe(false);
          }
          if (now.length === 0) break;
          const choice = choices.next().value ?? 0;
          const pending = [...waiting.entries()];
          const unlucky =
            choice % 5 === 0 ? pending[choice % Math.max(1, pending.length)] : undefined;
          unlucky?.[1].abort(new Error('enough'));
          if (unlucky !== undefined) waiting.delete(unlucky[0]);
          const done = now[choice % now.length];
          if (done === undefined) break;
          running.get(done)?.release();
          running.delete(done);
          served += 1;
        }
        expect(waiting.size).toBe(0);
        expect(served + cancelled.size).toBe(all.length);
      },
    );
    await fc.assert(property, { numRuns: 100 });
  });
});
