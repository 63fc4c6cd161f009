import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { consolePassword } from '../../../appliance/users/console-password.ts';
import { contextFor } from '../context.ts';
import { type Answers, TemporaryHost } from '../temporary-host.ts';

const passwd = 'ops:x:1001:1001::/home/ops:/bin/bash\n';
const secret = 'etc/landfall/secrets/console-password';

/** An account whose password is locked until chpasswd sets one. */
function server({ locked = true, files = {}, answers = {} as Answers } = {}) {
  const state = { locked };
  const host = TemporaryHost.with(files, {
    'getent passwd ops': passwd,
    unix_chkpwd: 0,
    'passwd --status ops': () => `ops ${state.locked ? 'L' : 'P'} 2026-01-01 0 99999 7 -1\n`,
    chpasswd: () => {
      state.locked = false;
      return '';
    },
    ...answers,
  });
  return { host, context: contextFor(host) };
}

describe('the console password', () => {
  it('is generated on the server, stored for root, and set', async () => {
    const { host, context } = server();
    expect(await consolePassword.todo(context)).toContain('generate a console password');
    await consolePassword.apply(context);
    const password = (await readFile(host.path(secret), 'utf8')).trimEnd();
    expect((await stat(host.path(secret))).mode & 0o777).toBe(0o600);
    expect(host.inputs).toEqual([`ops:${password}\n`, `${password}\0`]);
    expect(await consolePassword.todo(context)).toBeUndefined();
  });

  it('is the same on American, German and French keyboards, and has no ambiguous characters', async () => {
    const { host, context } = server();
    await consolePassword.apply(context);
    const password = (await readFile(host.path(secret), 'utf8')).trimEnd();
    expect(password).toMatch(/^[^aqwzymlio0-9A-Z\W]{20}$/);
  });

  it('is not in arguments and output', async () => {
    const { host, context } = server();
    await consolePassword.apply(context);
    const password = (await readFile(host.path(secret), 'utf8')).trimEnd();
    expect([...host.ran, ...context.said, ...context.warned].join('\n')).not.toContain(password);
  });

  it('is kept if the administrator changed it', async () => {
    const { host, context } = server({ locked: false, files: { [secret]: 'first\n' } });
    expect(await consolePassword.todo(context)).toBeUndefined();
    await consolePassword.apply(context);
    expect(host.inputs).toEqual([]);
  });

  it('is set again if the account was locked', async () => {
    const { host, context } = server({ files: { [secret]: 'first\n' } });
    await consolePassword.apply(context);
    expect(host.inputs[0]).toBe('ops:first\n');
  });

  it('is generated again if a run was killed before it was stored', async () => {
    const { host, context } = server({ locked: false });
    expect(await consolePassword.todo(context)).toContain('generate a console password');
    await consolePassword.apply(context);
    expect(existsSync(host.path(secret))).toBe(true);
  });

  it('is not stored if it does not unlock the account', async () => {
    const { host, context } = server({ answers: { unix_chkpwd: 7 } });
    await expect(consolePassword.apply(context)).rejects.toMatchObject({ code: 'STAGE_FAILED' });
    expect(existsSync(host.path(secret))).toBe(false);
  });
});
