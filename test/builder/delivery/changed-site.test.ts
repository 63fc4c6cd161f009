import { describe, expect, it } from 'vitest';
import { siteFile } from '#contract/server-paths.ts';
import { asciiJson, briefSite } from '#contract/site/brief-site.ts';
import { siteSchema } from '#contract/site/site.ts';
import { siteProblems, stopForNewSite } from '../../../builder/delivery/changed-site.ts';
import { TemporaryHost } from '../../appliance/temporary-host.ts';
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

  it('sends no changed site if the first boot cannot be stopped', async () => {
    const root = { ...localShell(), run: async () => ({ code: 1, stdout: '', stderr: '' }) };
    await expect(stopForNewSite(root)).rejects.toMatchObject({ code: 'COMMAND_FAILED' });
  });
});
