import { readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { siteFile } from '#contract/server-paths.ts';
import { asciiJson, briefSite } from '#contract/site/brief-site.ts';
import { siteSchema } from '#contract/site/site.ts';
import {
  placePushedSite,
  siteProblems,
  stopForNewSite,
} from '../../../../builder/deliver/install/changed-site.ts';
import { TemporaryHost } from '../../../appliance/temporary-host.ts';
import { localShell } from '../ssh/local-shell.ts';

const key =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me@laptop';
const site = siteSchema.parse({
  release: ['https://nowhere.example.com/'],
  admin: { ssh_keys: [key] },
  hosts: { ui: 'caht.example.com' },
});
const host = TemporaryHost.with({ [siteFile]: asciiJson(briefSite(site)) });

describe('a site that changed after the first boot began', () => {
  it('finds no differences of a site that is the same', async () => {
    expect(await siteProblems({ host }, site)).toEqual([]);
  });

  it('reports a changed site field by field, with both values', async () => {
    const changed = siteSchema.parse({
      ...site,
      release: 'push',
      hosts: { ui: 'chat.example.com' },
      models: [],
    });
    expect((await siteProblems({ host }, changed)).map(({ message }) => message)).toEqual([
      'release: ["https://nowhere.example.com/"] on the server, "push" in site.yaml',
      'hosts.ui: "caht.example.com" on the server, "chat.example.com" in site.yaml',
      'models: the default on the server, [] in site.yaml',
    ]);
  });

  it('reports a changed site without the password of a proxy', async () => {
    const route = { mode: 'http-proxy', url: 'http://me:hunter2@10.0.0.2:7890' };
    const changed = siteSchema.parse({ ...site, route });
    const [problem] = await siteProblems({ host }, changed);
    expect(problem?.message).toContain('route');
    expect(JSON.stringify(problem)).not.toContain('hunter2');
  });

  it.each([
    ['the name of a field', { '\u001b]0;x\u0007\u202ename': 1 }],
    ['a value', { hosts: { ui: '\u009b31m\u202evalue' } }],
  ])('prints no control characters of the server in %s', async (_what, there) => {
    const hostile = TemporaryHost.with({ [siteFile]: JSON.stringify(there) });
    for (const { message } of await siteProblems({ host: hostile }, site)) {
      expect(message).not.toMatch(/[\p{Cc}\u202e]/u);
    }
  });

  it('reports a bounded number of differences', async () => {
    const fields = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`field${at}`, at]));
    const hostile = TemporaryHost.with({ [siteFile]: JSON.stringify(fields) });
    const problems = await siteProblems({ host: hostile }, site);
    expect(problems).toHaveLength(51);
    expect(problems.at(-1)?.message).toMatch(/^49\d\d more fields differ$/);
  });

  it('reports a changed site for a server whose site is nested too deep', async () => {
    const json = `{"admin":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
    const hostile = TemporaryHost.with({ [siteFile]: json });
    expect(await siteProblems({ host: hostile }, site)).toHaveLength(3);
  });

  it('sends no changed site if the first boot cannot be stopped', async () => {
    const root = { ...localShell(), run: async () => ({ code: 1, stdout: '', stderr: '' }) };
    await expect(stopForNewSite(root)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
  });
});

describe('a site that is sent to an installed server', () => {
  it('gets a file of its own, also if two are sent at once', async () => {
    const folder = TemporaryHost.with({}).path('push');
    const texts = ['one', 'other'];
    const root = localShell();
    const files = await Promise.all(texts.map((text) => placePushedSite(root, text, folder)));
    expect(files.map((file) => readFileSync(file, 'utf8'))).toEqual(texts);
    expect(statSync(files[0] ?? '').mode & 0o777).toBe(0o600);
  });

  it('replaces what a lost connection has left a day ago', async () => {
    const host = TemporaryHost.with({ 'push/site-1.yaml': 'old', 'push/bundle.tar': 'kept' });
    const dayAgo = Date.now() / 1000 - 90_000;
    for (const name of ['site-1.yaml', 'bundle.tar']) {
      utimesSync(host.path('push', name), dayAgo, dayAgo);
    }
    const file = await placePushedSite(localShell(), 'new', host.path('push'));
    expect(readdirSync(host.path('push')).sort()).toEqual(['bundle.tar', basename(file)]);
  });
});
