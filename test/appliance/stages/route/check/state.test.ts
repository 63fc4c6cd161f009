import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatTime } from '#contract/text/time-zone.ts';
import { lineOf } from '../../../../../appliance/server/conditions/condition.ts';
import {
  describeWorking,
  routeConditions,
  routeWarnings,
} from '../../../../../appliance/stages/route/check/describe.ts';
import {
  nextState,
  type RouteChange,
  type RouteState,
  storedRoute,
} from '../../../../../appliance/stages/route/check/state.ts';
import type { Checked } from '../../../../../appliance/stages/route/probe-destinations.ts';
import { TemporaryHost } from '../../../temporary-host.ts';

const start = Date.parse('2026-11-22T00:00:00.000Z');
const timeOf = (step: number) => new Date(start + step * 15 * 60_000);

function checkedOf(subject: string, isReachable: boolean): Checked {
  const warning = { kind: 'route' as const, subject };
  return { subject, failure: isReachable ? undefined : 'connection refused', warning };
}

/** Runs checks of one destination; `.` is reachable, `x` is not. */
function run(outcomes: string): {
  state: RouteState | undefined;
  changes: [number, RouteChange][];
} {
  let state: RouteState | undefined;
  const changes: [number, RouteChange][] = [];
  [...outcomes].forEach((outcome, step) => {
    const next = nextState(state, [checkedOf('hub', outcome === '.')], timeOf(step));
    state = next.state;
    changes.push(...next.changes.map((change): [number, RouteChange] => [step, change]));
  });
  return { state, changes };
}

describe('the state of a destination', () => {
  it.each(['', '....', 'x', 'xx', '.x.', 'xx.xx.xx', 'x.x.x.x'])(
    'reports no change of a destination in %j',
    (outcomes) => {
      expect(run(outcomes).changes).toEqual([]);
    },
  );

  it('changes after three failures in a row, with the time of the first one', () => {
    expect(run('..xxxxx').changes).toEqual([
      [
        4,
        {
          subject: 'hub',
          state: 'failed',
          since: timeOf(2).toISOString(),
          cause: 'connection refused',
        },
      ],
    ]);
  });

  it('changes back at once', () => {
    expect(run('xxxx...').changes.slice(1)).toEqual([
      [4, { subject: 'hub', state: 'working', since: timeOf(0).toISOString(), cause: undefined }],
    ]);
  });

  it('changes to failed and back in turn, for any sequence', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('.', 'x'), maxLength: 60 }), (outcomes) => {
        const { changes, state } = run(outcomes);
        changes.forEach(([step, change], index) => {
          expect(change.state).toBe(index % 2 === 0 ? 'failed' : 'working');
          if (change.state === 'working') {
            expect(outcomes[step]).toBe('.');
            return;
          }
          const first = (Date.parse(change.since) - start) / (15 * 60_000);
          expect(outcomes.slice(first, step + 1)).toBe('xxx');
          expect(first === 0 || outcomes[first - 1] === '.').toBe(true);
        });
        // Independent of the implementation: every run of three or more failures is one alert.
        const long = outcomes.match(/x{3,}/g) ?? [];
        expect(changes.filter(([, { state: to }]) => to === 'failed')).toHaveLength(long.length);
        const isDown = /x{3,}$/.test(outcomes);
        expect(changes).toHaveLength(2 * long.length - (isDown ? 1 : 0));
        expect(state?.subjects.hub?.state ?? 'working').toBe(isDown ? 'failed' : 'working');
      }),
    );
  });

  it('tracks a destination independently of other destinations', () => {
    const outcomes = fc.string({ unit: fc.constantFrom('.', 'x'), minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(outcomes, outcomes, (one, other) => {
        let state: RouteState | undefined;
        const changes = [...one].flatMap((_, step) => {
          const checked = [
            checkedOf('hub', one[step] === '.'),
            checkedOf('other', other[step] === '.'),
          ];
          const next = nextState(state, checked, timeOf(step));
          state = next.state;
          return next.changes.filter(({ subject }) => subject === 'hub');
        });
        expect(changes).toEqual(run(one).changes.map(([, change]) => change));
      }),
    );
  });

  it('forgets the state of a destination that the site no longer has', () => {
    const { state } = run('xxx');
    expect(nextState(state, [], timeOf(4))).toMatchObject({ state: { subjects: {} }, changes: [] });
  });
});

describe('the stored state', () => {
  it('continues after a reboot', async () => {
    const host = TemporaryHost.with({});
    const { state } = run('.xx');
    await storedRoute.write(host, state as RouteState);
    const read = await storedRoute.read(host);
    expect(read).toEqual(state);
    expect(nextState(read, [checkedOf('hub', false)], timeOf(3)).changes).toHaveLength(1);
  });

  it.each(['', '{', '{"schema": 2}', '[]'])('starts again if it is damaged: %j', async (text) => {
    const host = TemporaryHost.with({ 'var/lib/landfall/route-state.json': text });
    expect(await storedRoute.read(host)).toBeUndefined();
  });

  it('describes the stored state with the first failure', () => {
    const working = run('.').state as RouteState;
    expect(routeConditions(working)).toEqual([]);
    expect(describeWorking(working)).toBe('route: working, checked 2026-11-22 00:00 UTC');
    const linesOf = (outcomes: string) =>
      routeConditions(run(outcomes).state as RouteState).map((each) => lineOf(each));
    expect(linesOf('.xx')).toEqual([
      'route: hub failed 2 of 3 checks since 2026-11-22 00:15 UTC: connection refused; sudo landfall route test',
    ]);
    expect(linesOf('.xxx')).toEqual([
      'route: hub failed since 2026-11-22 00:15 UTC: connection refused; sudo landfall route test',
    ]);
  });
});

describe('the warnings of the report', () => {
  const other = { kind: 'route' as const, subject: 'socks5', text: 'containers have no proxy' };
  const old = { kind: 'route' as const, subject: 'hub', text: 'from the first boot' };

  it.each([
    ['x', [other, old]],
    [
      'xxx',
      [
        other,
        {
          ...old,
          text: `route: hub failed since ${formatTime(timeOf(0))}: connection refused; sudo landfall route test`,
        },
      ],
    ],
    ['xxx.', [other]],
    ['.', [other]],
  ])('after %s', (outcomes, expected) => {
    const checked = [checkedOf('hub', outcomes.endsWith('.'))];
    const warnings = routeWarnings([other, old], checked, run(outcomes).state as RouteState);
    expect(warnings).toEqual(expected);
  });
});
