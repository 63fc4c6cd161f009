import { describe, expect, it } from 'vitest';
import {
  asJson,
  exitCodeFor,
  rowsAfterWatch,
  watchedRows,
  watchedState,
} from '../../../appliance/commands/status.ts';
import type { StagesStanding, Standing } from '../../../appliance/server/progress/state.ts';
import type { StackState } from '../../../appliance/stages/stack/stack-state.ts';
import { smallSite } from '../context.ts';
import { withoutSpace, withSpace } from '../disk-settings.ts';
import { statusOf } from '../server/progress/status-of.ts';
import { TemporaryHost } from '../temporary-host.ts';

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

const site = (alerts: object[]) => JSON.stringify({ ...smallSite, alerts });

describe('the rows of landfall status', () => {
  it('show a failed destination and a target that waits for its secret', async () => {
    const since = '2026-11-22T21:15:00.000Z';
    const state = {
      schema: 1,
      at: since,
      subjects: { 'provider openai': { state: 'failed', failures: 3, since, cause: 'timed out' } },
    };
    const host = TemporaryHost.with({
      ...withSpace,
      'etc/landfall/site.json': site([{ kind: 'ntfy' }]),
      'var/lib/landfall/route-state.json': JSON.stringify(state),
    });
    const rows = watchedRows(await watchedState(host));
    expect(rows).toEqual([
      {
        text: 'route: provider openai failed since 2026-11-22 21:15 UTC: timed out; sudo landfall route test',
        colour: 'yellow',
      },
      {
        text: 'alerts: the alert target ntfy has no secret yet; sudo landfall secret set alert-ntfy-url',
        colour: 'yellow',
      },
    ]);
  });

  it('returns no rows for landfall status before the first check, without targets', async () => {
    const host = TemporaryHost.with({ ...withSpace, 'etc/landfall/site.json': site([]) });
    expect(watchedRows(await watchedState(host))).toEqual([]);
  });

  it.each(['{', '{"release": 1}'])('ignore an invalid site: %s', async (text) => {
    const host = TemporaryHost.with({ ...withSpace, 'etc/landfall/site.json': text });
    expect(watchedRows(await watchedState(host))).toEqual([]);
  });

  it('say that the offered release was rolled back, instead of offering it', async () => {
    const at = '2026-11-22T21:15:00.000Z';
    const manifest = 'a'.repeat(64);
    const offer = {
      ...{ kind: 'update', version: '1.1.0', created: at, notes: '', security: 'none' },
      ...{ newest: '1.1.0', manifest, size: 1, part: null, urls: [], changes: null, pause: null },
    };
    const channel = { name: 'stable', serial: 1, created: at, expires: at, key: 'k', trust: 1 };
    const state = {
      ...{ schema: 1, at, installed: '1.0.0', offer, withdrawn: null, failures: [] },
      ...{ channel: { ...channel, mirror: 'https://a.example/' }, announced: [] },
    };
    const ended = {
      ...{ at, id: 'u', kind: 'update', from: '1.0.0', to: '1.1.0', manifest, took: 1 },
      ...{ outcome: 'rolled-back', closed: null, reason: null },
    };
    const host = TemporaryHost.with({
      ...withSpace,
      'etc/landfall/site.json': site([]),
      'var/lib/landfall/update-state.json': JSON.stringify(state),
      'var/lib/landfall/update/history.jsonl': `${JSON.stringify(ended)}\n`,
    });
    expect(watchedRows(await watchedState(host))).toEqual([
      {
        text: 'update: release 1.1.0 was rolled back on this server; sudo landfall update status',
        colour: 'yellow',
      },
    ]);
  });

  it('say that a rollback is stuck, and name the command that continues it', async () => {
    const updating = { kind: 'update', to: '1.1.0', state: 'stuck' } as const;
    expect(watchedRows({ updating })).toEqual([
      {
        text: 'update: the rollback of 1.1.0 is stuck; nothing was deleted; sudo landfall update resume',
        colour: 'red',
      },
    ]);
  });

  it('show the servers behind HAProxy, and name a command', async () => {
    const node = { name: 'attic', url: 'http://10.0.0.9:11434', plain: 'i-understand' };
    const engines = { local: 'yes', nodes: [{ ...node, slots: 1, weight: 1 }] };
    const rows = [
      '# pxname,svname,status,sid,check_desc,',
      'generate-1,local,UP,1,,',
      'generate-1,attic,DOWN,2,Layer4 timeout,',
    ];
    const host = TemporaryHost.with(
      { ...withSpace, 'etc/landfall/site.json': JSON.stringify({ ...smallSite, engines }) },
      { 'docker exec --interactive landfall-balancer': `${rows.join('\n')}\n` },
    );
    const watched = await watchedState(host);
    expect(watched.engines).toEqual([
      { name: 'local', state: 'up' },
      { name: 'attic', state: 'down', reason: 'Layer4 timeout' },
    ]);
    expect(watchedRows(watched)).toEqual([
      {
        text: 'inference servers: local up, attic down; sudo landfall engines',
        colour: 'yellow',
      },
    ]);
    const silent = TemporaryHost.with(
      { ...withSpace, 'etc/landfall/site.json': JSON.stringify({ ...smallSite, engines }) },
      { 'docker exec --interactive landfall-balancer': 1 },
    );
    expect(watchedRows(await watchedState(silent))).toEqual([]);
  });

  it('show a disk that is low on space', async () => {
    const files = { ...withoutSpace, 'etc/landfall/site.json': site([]) };
    expect(watchedRows(await watchedState(TemporaryHost.with(files)))).toEqual([
      {
        text: expect.stringMatching(/^low disk space: .*; sudo landfall doctor$/),
        colour: 'yellow',
      },
    ]);
  });
});
