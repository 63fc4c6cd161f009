import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  loginValuesFile,
  profileFileOf,
  sudoersFile,
} from '../../../../../appliance/stages/route/login/login-settings.ts';
import { routeStage } from '../../../../../appliance/stages/route/stage.ts';
import { contextFor } from '../../../context.ts';
import { TemporaryHost } from '../../../temporary-host.ts';

const profileFile = profileFileOf('proxy');

const zsh = 'etc/zsh/zprofile';
const fish = 'etc/fish/conf.d/landfall-proxy.fish';
const shells = { [zsh]: '# zsh\n', 'etc/fish/conf.d/own.fish': '' };
const group = { systemctl: '', 'getent group sudo': `sudo:x:${process.getgid?.()}:ops\n` };
const open = { mode: 'http-proxy', url: 'http://192.0.2.2:7890', no_proxy: ['corp.example'] };
const locked = { ...open, url: 'http://me:secret@192.0.2.2:7890' };

function proxied(route: object, files: Readonly<Record<string, string>> = shells, answers = {}) {
  const host = TemporaryHost.with(files, { ...group, ...answers });
  return { host, context: contextFor(host, { site: { route } }) };
}

const read = (host: TemporaryHost, path: string) => readFileSync(host.path(path), 'utf8');
const modeOf = (host: TemporaryHost, path: string) => statSync(host.path(path)).mode & 0o777;

describe('the route of login shells', () => {
  it('writes the proxy password only to a file for root and the administrators', async () => {
    const { host, context } = proxied(locked);
    await routeStage.apply(context);
    expect(read(host, loginValuesFile)).toContain("export https_proxy='http://me:secret@192");
    expect(modeOf(host, loginValuesFile)).toBe(0o640);
    for (const path of [profileFile, fish, zsh, sudoersFile]) {
      expect(read(host, path)).not.toContain('secret');
    }
  });

  it('writes the route of login shells for all users if the proxy has no login', async () => {
    const { host, context } = proxied(open);
    await routeStage.apply(context);
    expect(modeOf(host, loginValuesFile)).toBe(0o644);
    expect(modeOf(host, profileFile)).toBe(0o644);
  });

  it('exempts the hosts of the site, and no names of containers', async () => {
    const { host, context } = proxied(open);
    await routeStage.apply(context);
    expect(read(host, loginValuesFile)).toMatch(/no_proxy='localhost,.*,corp\.example,\.corp\.ex/);
    expect(read(host, loginValuesFile)).not.toContain('.chat');
  });

  it('writes for zsh and fish only if they are installed', async () => {
    const { host, context } = proxied(open, {});
    await routeStage.apply(context);
    expect(existsSync(host.path('etc/zsh'))).toBe(false);
    expect(existsSync(host.path('etc/fish'))).toBe(false);
  });

  it('plans to repair the route of login shells after a change of its permissions', async () => {
    const { host, context } = proxied(open);
    await routeStage.apply(context);
    expect(await routeStage.check(context)).toEqual([]);
    execFileSync('chmod', ['600', host.path(loginValuesFile)]);
    expect(await routeStage.check(context)).toEqual(['set the proxy for login shells']);
  });

  it('removes the route of login shells with a direct route, and restores the file of zsh', async () => {
    const { host, context } = proxied(open);
    await routeStage.apply(context);
    await routeStage.apply(contextFor(host));
    expect(read(host, zsh)).toBe('# zsh\n');
    for (const path of [loginValuesFile, profileFile, fish, sudoersFile]) {
      expect(existsSync(host.path(path))).toBe(false);
    }
  });
});

describe('the sudoers file', () => {
  const visudo = { 'usr/sbin/visudo': '' };

  it('checks the sudoers file with visudo before it is placed', async () => {
    const { host, context } = proxied(open, visudo, { 'visudo --check': '' });
    await routeStage.apply(context);
    expect(host.ran).toContain(`visudo --check --file=${host.path('run/landfall/sudoers-proxy')}`);
    expect(modeOf(host, sudoersFile)).toBe(0o440);
  });

  it('refuses to place a sudoers file that visudo rejects', async () => {
    const { host, context } = proxied(open, visudo, { 'visudo --check': 1 });
    await expect(routeStage.apply(context)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
    expect(existsSync(host.path(sudoersFile))).toBe(false);
    expect(existsSync(host.path('run/landfall/sudoers-proxy'))).toBe(false);
  });
});
