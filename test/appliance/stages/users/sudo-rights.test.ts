import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import {
  renderSudoers,
  sudoersFile,
  sudoRights,
} from '../../../../appliance/stages/users/sudo-rights.ts';
import { aptAnswers } from '../../answers.ts';
import { contextFor } from '../../context.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

const installed: Answers = {
  'dpkg-query': 'sudo installed\n',
  'getent group sudo': 'sudo:x:27:ops\n',
  'usermod --append --groups sudo ops': '',
  visudo: '',
};

function server(answers: Answers = {}) {
  const host = TemporaryHost.with({}, { ...installed, ...answers });
  return { host, context: contextFor(host) };
}

describe('the sudo rights of the administrator', () => {
  it('allow all commands without a password', async () => {
    const { host, context } = server();
    expect(await sudoRights.check(context)).toEqual(['allow ops to become root with sudo']);
    await sudoRights.apply(context);
    expect(host.ran).toContain('usermod --append --groups sudo ops');
    expect(await readFile(host.path(sudoersFile), 'utf8')).toMatch(
      /^ops ALL=\(ALL:ALL\) NOPASSWD: ALL$/m,
    );
    expect((await stat(host.path(sudoersFile))).mode & 0o777).toBe(0o440);
    expect(await sudoRights.check(context)).toEqual([]);
  });

  it('uses a file name without a dot for the sudo rights, which sudo requires', () => {
    expect(sudoersFile).toMatch(/^etc\/sudoers\.d\/[a-z0-9-]+$/);
  });

  it('checks the sudo rights with visudo before installing them, and discards rejected ones', async () => {
    let placed = true;
    const { host, context } = server({
      visudo: () => {
        placed = existsSync(host.path(sudoersFile));
        return 1;
      },
    });
    await expect(sudoRights.apply(context)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
    expect(placed).toBe(false);
    expect(existsSync(host.path(sudoersFile))).toBe(false);
    expect(await readdir(host.path('run/landfall'))).toEqual([]);
  });

  it('reports missing sudo rights if the administrator is not in the group', async () => {
    const { context } = server({ 'getent group sudo': 'sudo:x:27:opsy,debian\n' });
    await sudoRights.apply(context);
    expect(await sudoRights.check(context)).toEqual(['allow ops to become root with sudo']);
  });

  it('use the command sudo of another package, such as sudo-rs', async () => {
    const files = { 'usr/bin/sudo': '' };
    const { 'dpkg-query': _package, ...answers } = installed;
    const host = TemporaryHost.with(files, answers);
    await sudoRights.apply(contextFor(host));
    expect(host.ran.filter((line) => /^(?:apt|dpkg)/.test(line))).toEqual([]);
    expect(existsSync(host.path(sudoersFile))).toBe(true);
  });

  it('include the installation of sudo if it is missing', async () => {
    const { host, context } = server({ ...aptAnswers, 'dpkg-query': 1 });
    await sudoRights.apply(context);
    expect(host.ran.some((line) => line.endsWith('install --yes sudo'))).toBe(true);
  });
});

it.each([
  ['sha256', '"sha256"'],
  ['sha512', '"sha512"'],
  ['sha1', 'sha1'],
  ['ops', 'ops'],
])('gives the user %s one rule, in which sudo reads a name', (user, name) => {
  const rules = renderSudoers(user)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(rules).toEqual([`${name} ALL=(ALL:ALL) NOPASSWD: ALL`]);
});
