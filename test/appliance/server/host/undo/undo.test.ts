import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { runCommand } from '../../../../../appliance/server/host/run/command.ts';
import {
  armUndo,
  changeUnderUndo,
  confirm,
  momentOfChange,
  unconfirmed,
  undoUnconfirmed,
} from '../../../../../appliance/server/host/undo/undo.ts';
import { undoAnswers } from '../../../answers.ts';
import { type Answers, TemporaryHost } from '../../../temporary-host.ts';

const stat1 = '7 (cat) R 1 7 7 0 -1 4194304 92 0 0 0 0 0 0 0 20 0 1 0 4200 8192 1 2';
const script = 'var/lib/landfall/undo/door.sh';
const defaults: Answers = { ...undoAnswers, 'cat /proc/self/stat': stat1, '/bin/sh': '' };

/** A host without systemd that runs the undo scripts. */
function machine(files: Record<string, string> = { 'etc/door': 'closed' }, answers: Answers = {}) {
  const host = TemporaryHost.with(files, { ...defaults, ...answers });
  const recorded = host.run.bind(host);
  host.run = async (file, args, options) => {
    const result = await recorded(file, args, options);
    return file === '/bin/sh' ? await runCommand(file, args, options) : result;
  };
  const open = () => writeFile(host.path('etc/door'), 'open');
  const door = () => readFile(host.path('etc/door'), 'utf8');
  const close = `printf closed >${host.path('etc/door')}`;
  return { host, open, door, undo: { name: 'door', script: close, seconds: 180 } };
}

describe('changeUnderUndo', () => {
  it('arms a script on disk, a timer and a boot unit before the change', async () => {
    const { host, undo } = machine();
    await changeUnderUndo(host, undo, async () => {
      expect((await stat(host.path(script))).mode & 0o777).toBe(0o700);
      expect(host.ran.at(-1)).toBe(
        `systemd-run --quiet --collect --unit=landfall-undo-door --on-active=180 --timer-property=AccuracySec=1s /bin/sh ${host.path(script)}`,
      );
      expect(host.ran).toContain('systemctl enable --quiet landfall-undo.service');
      expect(host.ran.indexOf('sync')).toBeGreaterThan(
        host.ran.indexOf('systemctl enable --quiet landfall-undo.service'),
      );
    });
    const unit = await readFile(host.path('etc/systemd/system/landfall-undo.service'), 'utf8');
    expect(unit).toMatch(/^Before=.* ssh\.service .*sysinit\.target$/m);
    expect(unit).toContain('/bin/sh "$undo"');
  });

  it('keeps a confirmed change', async () => {
    const { host, open, door, undo } = machine();
    await changeUnderUndo(host, undo, open);
    expect(await unconfirmed(host)).toEqual(['door']);
    await confirm(host, 'door');
    expect(await unconfirmed(host)).toEqual([]);
    expect(await undoUnconfirmed(host)).toEqual([]);
    expect(await door()).toBe('open');
    expect(host.ran).toContain('systemctl stop landfall-undo-door.timer');
  });

  it('undoes an unconfirmed change in the next run', async () => {
    const { host, open, door, undo } = machine();
    await changeUnderUndo(host, undo, open);
    expect(await undoUnconfirmed(host)).toEqual(['door']);
    expect(await door()).toBe('closed');
    expect(await unconfirmed(host)).toEqual([]);
    expect(await momentOfChange(host, 'door')).toBeUndefined();
  });

  it('undoes a failed change immediately', async () => {
    const { host, open, door, undo } = machine();
    const change = changeUnderUndo(host, undo, async () => {
      await open();
      throw new Error('the hinge broke');
    });
    await expect(change).rejects.toThrow('the hinge broke');
    expect(await door()).toBe('closed');
    expect(await unconfirmed(host)).toEqual([]);
  });

  it('throws the error of the change even if the undo fails', async () => {
    const { host, undo } = machine();
    const change = changeUnderUndo(host, { ...undo, script: 'exit 1' }, async () => {
      throw new Error('the hinge broke');
    });
    await expect(change).rejects.toThrow('the hinge broke');
    expect(await unconfirmed(host)).toEqual(['door']);
  });

  it('does not make the change if the undo cannot be armed', async () => {
    const { host, open, door, undo } = machine(undefined, { 'systemd-run': 1 });
    await expect(changeUnderUndo(host, undo, open)).rejects.toMatchObject({
      code: 'COMMAND_FAILED',
    });
    expect(await door()).toBe('closed');
    expect(await unconfirmed(host)).toEqual([]);
  });

  it('runs the whole undo again after a power cut', async () => {
    const { host, open, door, undo } = machine();
    await changeUnderUndo(host, { ...undo, script: `exit 1\n${undo.script}` }, open);
    await expect(undoUnconfirmed(host)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
    expect(await unconfirmed(host)).toEqual(['door']);
    await armUndo(host, { name: 'door', script: undo.script, seconds: 180 });
    await undoUnconfirmed(host);
    expect(await door()).toBe('closed');
  });

  it('runs a failed undo again and rejects a confirmation', async () => {
    const { host, open, door, undo } = machine();
    const full = host.path('etc/full');
    await writeFile(full, '');
    const script = `[ ! -e ${full} ] || failed=yes\n${undo.script}`;
    await changeUnderUndo(host, { ...undo, script }, open);
    await expect(undoUnconfirmed(host)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
    expect(await unconfirmed(host)).toEqual(['door']);
    expect(await momentOfChange(host, 'door')).toBeUndefined();
    await rm(full);
    expect(await undoUnconfirmed(host)).toEqual(['door']);
    expect(await door()).toBe('closed');
    expect(await unconfirmed(host)).toEqual([]);
  });

  it('rejects a confirmation once the undo has started', async () => {
    const { host, open, undo } = machine(undefined, {
      'systemctl is-active --quiet landfall-undo-door.service': 0,
    });
    await changeUnderUndo(host, undo, open);
    await expect(confirm(host, 'door')).rejects.toMatchObject({ code: 'UNCONFIRMED' });
    expect(existsSync(host.path(script))).toBe(true);
  });

  it('rejects a confirmation after the undo', async () => {
    const { host, open, undo } = machine();
    await changeUnderUndo(host, undo, open);
    await undoUnconfirmed(host);
    await expect(confirm(host, 'door')).rejects.toMatchObject({ code: 'UNCONFIRMED' });
  });

  it('records the time of the change, not of the arming', async () => {
    let ticks = 4200;
    const { host, open, undo } = machine(undefined, {
      'cat /proc/self/stat': () => stat1.replace('4200', `${ticks}`),
    });
    await changeUnderUndo(host, undo, async () => {
      expect(await momentOfChange(host, 'door')).toBe(4200);
      ticks = 4321;
      await open();
    });
    expect(await momentOfChange(host, 'door')).toBe(4321);
  });
});

describe('the undo unit', () => {
  it('installs the undo unit once', async () => {
    const { host, undo } = machine();
    await armUndo(host, { name: 'door', script: undo.script, seconds: 60 });
    const before = host.ran.length;
    await armUndo(host, { name: 'door', script: undo.script, seconds: 60 });
    expect(host.ran.slice(before)).not.toContain('systemctl daemon-reload');
  });

  it('enables the undo unit again if a power cut removed the link', async () => {
    const { host, undo } = machine(undefined, {
      'systemctl is-enabled --quiet landfall-undo.service': 1,
    });
    await armUndo(host, { name: 'door', script: undo.script, seconds: 60 });
    const before = host.ran.length;
    await armUndo(host, { name: 'door', script: undo.script, seconds: 60 });
    expect(host.ran.slice(before)).toContain('systemctl enable --quiet landfall-undo.service');
  });

  it('runs every script, even after a failed one', async () => {
    const { host, undo, door, open } = machine();
    await open();
    await armUndo(host, { name: 'a-broken', script: 'exit 3', seconds: 60 });
    await armUndo(host, { name: 'door', script: undo.script, seconds: 60 });
    const unit = await readFile(host.path('etc/systemd/system/landfall-undo.service'), 'utf8');
    const line = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(unit)?.[1] ?? '';
    await runCommand('/bin/sh', ['-c', line.replaceAll('/var/lib', host.path('var/lib'))]);
    expect(await door()).toBe('closed');
    expect(await readdir(host.path('var/lib/landfall/undo'))).toEqual(['a-broken.sh']);
  });
});
