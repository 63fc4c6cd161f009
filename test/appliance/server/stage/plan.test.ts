import { chmodSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import { isFile } from '../../../../appliance/server/host/files.ts';
import { Host } from '../../../../appliance/server/host/host.ts';
import { runCommand } from '../../../../appliance/server/host/run/command.ts';
import { diffFile, planStages } from '../../../../appliance/server/stage/plan.ts';
import type { Stage } from '../../../../appliance/server/stage/stage.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';
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

/** Returns the diff of a file with this content and mode, made by the program `diff`. */
async function diffOf(before: string, mode: number, wanted: { content: string; mode: number }) {
  const { root } = TemporaryHost.with({ 'etc/x': before });
  const host = new Host(root, runCommand);
  chmodSync(host.path('etc/x'), mode);
  return await diffFile(host, { path: 'etc/x', ...wanted });
}

describe('diffFile', () => {
  it('shows changed lines', async () => {
    expect(await diffOf('a\nb\n', 0o644, { content: 'a\nc\n', mode: 0o644 })).toEqual([
      '--- /etc/x',
      '+++ /etc/x (new)',
      '@@ -1,2 +1,2 @@',
      ' a',
      '-b',
      '+c',
    ]);
  });

  it.each([
    [0o600, 0o600],
    [0o644, 0o600],
    [0o600, 0o644],
  ])('does not show the content of a file that is private, mode %o to %o', async (from, to) => {
    const lines = await diffOf('KEY=old-secret\n', from, { content: 'KEY=secret\n', mode: to });
    expect(lines).toContain('/etc/x: the content differs and is private');
    expect(lines.join()).not.toContain('secret\n');
    expect(lines.join()).not.toContain('KEY');
  });

  it('shows changed permissions', async () => {
    expect(await diffOf('a\n', 0o664, { content: 'a\n', mode: 0o644 })).toEqual([
      '/etc/x: mode 664 would become 644',
    ]);
  });

  it('shows nothing for a new file', async () => {
    const host = TemporaryHost.with({});
    expect(await diffFile(host, { path: 'etc/x', content: 'a\n', mode: 0o644 })).toEqual([]);
  });
});
