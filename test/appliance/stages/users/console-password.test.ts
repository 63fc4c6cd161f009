import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { consolePassword } from '../../../../appliance/stages/users/console-password.ts';
import { chkpwd } from '../../answers.ts';
import { contextFor } from '../../context.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

const passwd = 'ops:x:1001:1001::/home/ops:/bin/bash\n';
const secret = 'etc/landfall/secrets/console-password';

/** An account whose password is locked until chpasswd sets one. */
function server({ locked = true, files = {}, answers = {} as Answers } = {}) {
  const state = { locked };
  const host = TemporaryHost.with(files, {
    'getent passwd ops': passwd,
    [chkpwd]: 0,
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
  it('generates the console password on the server, stores it for root, and sets it', async () => {
    const { host, context } = server();
    expect(await consolePassword.check(context)).toEqual([
      expect.stringContaining('generate a console password'),
    ]);
    await consolePassword.apply(context);
    const password = (await readFile(host.path(secret), 'utf8')).trimEnd();
    expect((await stat(host.path(secret))).mode & 0o777).toBe(0o600);
    expect(host.inputs).toEqual([`ops:${password}\n`, `${password}\0`]);
    expect(await consolePassword.check(context)).toEqual([]);
  });

  it('uses the same keys on American, German and French keyboards, without ambiguous characters', async () => {
    const { host, context } = server();
    await consolePassword.apply(context);
    const password = (await readFile(host.path(secret), 'utf8')).trimEnd();
    expect(password).toMatch(/^[^aqwzymlio0-9A-Z\W]{20}$/);
  });

  it('keeps the console password out of arguments and output', async () => {
    const { host, context } = server();
    await consolePassword.apply(context);
    const password = (await readFile(host.path(secret), 'utf8')).trimEnd();
    expect([...host.ran, ...context.said, ...context.warned].join('\n')).not.toContain(password);
  });

  it('keeps a console password that the administrator changed', async () => {
    const { host, context } = server({ locked: false, files: { [secret]: 'first\n' } });
    expect(await consolePassword.check(context)).toEqual([]);
    await consolePassword.apply(context);
    expect(host.inputs).toEqual([]);
  });

  it('sets the console password again if the account was locked', async () => {
    const { host, context } = server({ files: { [secret]: 'first\n' } });
    await consolePassword.apply(context);
    expect(host.inputs[0]).toBe('ops:first\n');
  });

  it('generates the console password again if a run was killed before it was stored', async () => {
    const { host, context } = server({ locked: false });
    expect(await consolePassword.check(context)).toEqual([
      expect.stringContaining('generate a console password'),
    ]);
    await consolePassword.apply(context);
    expect(existsSync(host.path(secret))).toBe(true);
  });

  it('stores no console password that does not unlock the account', async () => {
    const { host, context } = server({ answers: { [chkpwd]: 7 } });
    await expect(consolePassword.apply(context)).rejects.toMatchObject({ code: 'STAGE_FAILED' });
    expect(existsSync(host.path(secret))).toBe(false);
  });
});
