import { describe, expect, it } from 'vitest';
import { asJson, exitCodeFor, rowsAfterWatch } from '../../../appliance/commands/status.ts';
import type { StagesStanding, Standing } from '../../../appliance/progress/state.ts';
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
    ['all components are up', stages([undefined]), up, 0],
    ['all components are up after a reboot', installed, up, 0],
    ['a component is down', stages([undefined]), down, 69],
    ['a component is down after a reboot', installed, down, 69],
    ['there are no components', installed, { parts: [] }, 69],
    ['Docker does not respond', installed, silent, 69],
    ['a component is starting', installed, gateway('running', 'starting'), 75],
    ['the release is being downloaded', bootstrap, undefined, 75],
    ['stages are running', stages(['images']), undefined, 75],
    [
      'it was interrupted and continues automatically',
      stages(['images'], { interrupted: true }),
      undefined,
      75,
    ],
    ['it has failed', stages(['images', 'failed']), undefined, 11],
    ['a manual run was interrupted', stages(['images'], cutOff), up, 11],
    ['a manual run failed before a reboot', failedBefore, up, 11],
  ] as const)('when %s', (_case, standing, now, code) => {
    expect(exitCodeFor(standing, now)).toBe(code);
  });

  it('fails with an error if no first boot has started', () => {
    expect(() => exitCodeFor({ kind: 'unknown' })).toThrow(
      expect.objectContaining({ code: 'STATE_INVALID' }),
    );
  });
});

it('names the next command after a watched first boot', () => {
  expect(rowsAfterWatch().map(({ text }) => text)).toContain(
    'next: landfall report shows the addresses and what to do next',
  );
});

describe('landfall status --json', () => {
  it('contains the status file and the current components', () => {
    expect(asJson(stages(['images']))).toEqual(statusOf('images'));
    expect(asJson(stages([undefined]), up)).toEqual({ ...statusOf(undefined), ...up });
  });

  it('reports interrupted if the status is running without a process', () => {
    expect(asJson(stages(['images'], cutOff))).toMatchObject({
      state: 'interrupted',
      stages: expect.arrayContaining([expect.objectContaining({ name: 'images' })]),
    });
  });

  it('contains the known fields', () => {
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
