import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import { siteFile } from '#contract/server-paths.ts';
import { showDifferences } from '../../../../appliance/commands/site/diff.ts';
import { showSite } from '../../../../appliance/commands/site/show.ts';
import type { Stage } from '../../../../appliance/server/stage/stage.ts';
import { contextFor } from '../../context.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const key =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl me@laptop';
const site = {
  release: ['https://releases.example.com/'],
  admin: { ssh_keys: [key] },
  hosts: { ui: 'chat.example.com' },
};

/** A stage that sets the time zone. */
const zoneStage: Stage = {
  name: 'kernel',
  title: 'kernel: settings',
  check: async ({ site: { timezone } }) => (timezone ? [`set ${timezone}`] : []),
  apply: async () => {},
  prove: async () => {},
};

let folder: string;
let printed: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'landfall-site-'));
  printed = [];
  vi.spyOn(console, 'log').mockImplementation((text) => printed.push(text));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** What `docker ps` prints: the relay does not run, and NextChat and LobeChat do not exist. */
const runs = 'ui\trunning\tFalse\tUp 5 minutes (healthy)\nrelay\texited\tFalse\tExited (0)';

/** A server whose stack cannot be rendered: the containers are named by the changed fields. */
const hostWith = (content: object, files: Record<string, string> = {}) =>
  TemporaryHost.with(
    { [siteFile]: JSON.stringify(content), ...files },
    { 'ip -json address show scope global': 1, 'docker ps': runs },
  );

describe('landfall site show', () => {
  it.each([
    ['hosts.ui', 'chat.example.com'],
    ['admin.user', 'ops'],
    ['admin.ssh_keys[0]', key],
    ['tls', 'mode: internal\naccept_terms: false'],
  ])('prints the field %s, also a default', async (field, text) => {
    await showSite(hostWith(site), field);
    expect(printed).toEqual([text]);
  });

  it.each(['hosts.lobe', 'hosts.ui.more', 'alerts[3]', 'hosts.constructor'])(
    'prints nothing for the unset field %s',
    async (field) => {
      await showSite(hostWith(site), field);
      expect(printed).toEqual([]);
    },
  );

  it('names the nearest field of an unknown one', async () => {
    await expect(showSite(hostWith(site), 'host.ui')).rejects.toMatchObject({
      code: 'USAGE',
      hint: 'Did you mean hosts?',
    });
  });

  it('prints the site as it is written, without defaults', async () => {
    await showSite(hostWith(site), undefined, true);
    expect(JSON.parse(printed[0] ?? '')).toEqual(site);
  });
});

describe('landfall site diff', () => {
  const diff = async (other: string, json = true) => {
    const path = join(folder, 'site.yaml');
    writeFileSync(path, other);
    const context = contextFor(hostWith(site), { site });
    await showDifferences(context, path, json, () => [zoneStage]);
    return json ? JSON.parse(printed[0] ?? '') : printed[0];
  };

  it('finds no difference in another order and with defaults', async () => {
    const { hosts, ...rest } = site;
    expect(await diff(stringify({ hosts, tls: { mode: 'internal' }, ...rest }))).toEqual({
      fields: [],
      stages: [],
      restarts: [],
      confirms: false,
    });
  });

  it('names each changed field, and stages with something to do', async () => {
    const other = { ...site, hosts: { ui: 'ai.example.com' }, timezone: 'Asia/Shanghai' };
    const { fields, stages, restarts } = await diff(stringify(other));
    expect(restarts).toEqual(['chat', 'lobe', 'relay', 'ui']);
    expect(fields).toEqual([
      { field: 'hosts.ui', before: 'chat.example.com', after: 'ai.example.com' },
      { field: 'timezone', before: null, after: 'Asia/Shanghai' },
    ]);
    expect(stages).toEqual([{ name: 'kernel', todo: ['set Asia/Shanghai'], obstacle: null }]);
  });

  it('explains errors with line and column, as on a computer', async () => {
    await expect(
      diff('release: [https://a.example/]\nhost: { ui: a.example.com }\n'),
    ).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      problems: expect.arrayContaining([
        expect.objectContaining({ line: 2, message: expect.stringContaining('host') }),
      ]),
    });
  });

  it('lists as interrupted only components that run', async () => {
    const text = await diff(stringify({ ...site, hosts: { ui: 'ai.example.com' } }), false);
    expect(text).toContain('Interrupted:\n  - ');
    expect(text.split('Interrupted:')[1].match(/ {2}- /g)).toHaveLength(1);
  });

  it('shows what a long list loses and gains, instead of its beginning', async () => {
    const other = key.replace('OUoqKLs', 'OUoqKLt').replace('me@laptop', 'you@desktop');
    const text = await diff(stringify({ ...site, admin: { ssh_keys: [other] } }), false);
    expect(text).toMatch(/admin\.ssh_keys +- me@laptop +\+ you@desktop/);
  });

  it('shows no value that may be a secret', async () => {
    const route = { mode: 'http-proxy', url: 'http://me:very-secret@proxy.example.com:8080' };
    expect(await diff(stringify({ ...site, route }), false)).not.toContain('very-secret');
  });
});
