import { chmodSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { isFile } from '../../../appliance/host/files.ts';
import { planStages } from '../../../appliance/stage/plan.ts';
import type { Stage } from '../../../appliance/stage/stage.ts';
import { contextFor } from '../context.ts';
import { TemporaryHost } from '../temporary-host.ts';
import { stageCalled } from './fixture.ts';

describe('planStages', () => {
  it('returns the pending actions of every stage without applying them', async () => {
    const touch = vi.fn(async () => {});
    const stages = [
      stageCalled('users', {
        check: async () => ['create the user ops'],
        apply: touch,
        prove: touch,
      }),
      stageCalled('ssh', { apply: touch, prove: touch }),
    ];
    expect(await planStages(stages, contextFor(TemporaryHost.with({})))).toEqual([
      { name: 'users', title: 'users: for a test', todo: ['create the user ops'], files: [] },
      { name: 'ssh', title: 'ssh: for a test', todo: [], files: [] },
    ]);
    expect(touch).not.toHaveBeenCalled();
  });

  it('continues after a stage whose check fails', async () => {
    const check = async () => {
      throw new LandfallError('TOOL_MISSING', 'docker: command not found on this server', {
        problems: [{ message: 'it is not below /usr/bin' }],
        hint: 'Install docker.io.',
      });
    };
    const stages = [stageCalled('runtime', { check }), stageCalled('images')];
    expect(await planStages(stages, contextFor(TemporaryHost.with({})))).toMatchObject([
      {
        todo: [],
        obstacle: 'docker: command not found on this server',
        // The problems were dropped.
        problems: [{ message: 'it is not below /usr/bin' }],
        hint: 'Install docker.io.',
      },
      { name: 'images', todo: [] },
    ]);
  });

  it('returns the files that a stage with pending actions would change', async () => {
    const check: Stage['check'] = async ({ host }) => {
      await isFile(host, 'etc/same', 'same');
      await isFile(host, 'etc/other', 'new');
      return ['write /etc/other'];
    };
    const host = TemporaryHost.with({ 'etc/same': 'same', 'etc/other': 'old' });
    chmodSync(host.path('etc/same'), 0o644);
    const idle: Stage['check'] = async (context) => {
      await check(context);
      return [];
    };
    const stages = [stageCalled('ban', { check }), stageCalled('ssh', { check: idle })];
    expect(await planStages(stages, contextFor(host))).toMatchObject([
      { name: 'ban', files: [{ path: 'etc/other', content: 'new', mode: 0o644 }] },
      { name: 'ssh', files: [] },
    ]);
  });

  it('does not hide a bug', async () => {
    const check = async () => {
      throw new TypeError('x is undefined');
    };
    const plan = planStages([stageCalled('ssh', { check })], contextFor(TemporaryHost.with({})));
    await expect(plan).rejects.toThrow('x is undefined');
  });
});
