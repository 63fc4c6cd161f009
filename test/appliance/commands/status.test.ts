import { describe, expect, it } from 'vitest';
import { asJson, exitCodeFor } from '../../../appliance/commands/status.ts';
import type { StagesStanding, Standing } from '../../../appliance/progress/standing.ts';
import type { StackState } from '../../../appliance/stack/stack-state.ts';
import { statusOf } from '../progress/status-of.ts';

const stages = (
  given: Parameters<typeof statusOf>,
  rest: Partial<StagesStanding> = {},
): Standing => ({
  kind: 'stages',
  status: statusOf(...given),
  interrupted: false,
  installed: false,
  ...rest,
});
const bootstrap: Standing = { kind: 'bootstrap', line: '16 of 50 MB' };
const installed: Standing = { kind: 'installed', release: '1.2.0' };
const failedBefore: Standing = {
  ...installed,
  unfinished: { end: 'failed', stage: 'ssh', code: 'SSH_UNPROVEN' },
};
const cutOff = { interrupted: true, installed: true };

const gateway = (state: string, health: string): StackState => ({
  parts: [
    { name: 'engine', state: 'running', health: 'healthy' },
    { name: 'gateway', state, health },
  ],
});
const up = gateway('running', 'healthy');
const down = gateway('exited', '');
const silent: StackState = { engine: 'no response within 10 seconds' };

describe('the exit code of landfall status', () => {
  it.each([
    ['all parts are up', stages([undefined]), up, 0],
    ['all parts are up after a reboot', installed, up, 0],
    ['a part is down', stages([undefined]), down, 69],
    ['a part is down after a reboot', installed, down, 69],
    ['there is no part at all', installed, { parts: [] }, 69],
    ['the engine does not answer', installed, silent, 69],
    ['a part begins', installed, gateway('running', 'starting'), 75],
    ['the release is fetched', bootstrap, undefined, 75],
    ['stages run', stages(['images']), undefined, 75],
    [
      'it was cut off and goes on by itself',
      stages(['images'], { interrupted: true }),
      undefined,
      75,
    ],
    ['it has failed', stages(['images', 'failed']), undefined, 11],
    ['a run by hand was cut off', stages(['images'], cutOff), up, 11],
    ['a run by hand failed before a reboot', failedBefore, up, 11],
  ] as const)('when %s', (_case, standing, now, code) => {
    expect(exitCodeFor(standing, now)).toBe(code);
  });

  it('is an error where there is nothing to tell of', () => {
    expect(() => exitCodeFor({ kind: 'unknown' })).toThrow(
      expect.objectContaining({ code: 'STATE_INVALID' }),
    );
  });
});

describe('landfall status --json', () => {
  it('is the status file, and the parts as they are now', () => {
    expect(asJson(stages(['images']))).toEqual(statusOf('images'));
    expect(asJson(stages([undefined]), up)).toEqual({ ...statusOf(undefined), ...up });
  });

  it('says interrupted where nobody carries on what the file calls running', () => {
    expect(asJson(stages(['images'], cutOff))).toMatchObject({
      state: 'interrupted',
      stages: expect.arrayContaining([expect.objectContaining({ name: 'images' })]),
    });
  });

  it('has as much of its shape as is known', () => {
    expect(asJson(bootstrap)).toEqual({ state: 'bootstrap', line: '16 of 50 MB' });
    expect(asJson({ kind: 'unknown' })).toEqual({ state: 'unknown' });
    expect(asJson(installed, up)).toEqual({ state: 'done', release: '1.2.0', ...up });
    expect(asJson(failedBefore, silent)).toEqual({
      state: 'failed',
      release: '1.2.0',
      stage: 'ssh',
      code: 'SSH_UNPROVEN',
      engine: 'no response within 10 seconds',
    });
  });
});
