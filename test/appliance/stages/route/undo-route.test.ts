import {
  chmodSync,
  chownSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeRoute, shownRoute } from '../../../../appliance/commands/route/show.ts';
import { routeStage } from '../../../../appliance/stages/route/stage.ts';
import { undoRoute } from '../../../../appliance/stages/route/undo-route.ts';
import { CertificateAuthority } from '../../../faulty-server/certificates.ts';
import { contextFor } from '../../context.ts';
import type { TemporaryHost } from '../../temporary-host.ts';
import { authorityHost } from './trust/authority-host.ts';

const list = 'etc/apt/sources.list';
const files = {
  [list]: 'deb http://deb.debian.org/debian trixie main\n',
  'etc/apt/sources.list.d/other.list': 'deb http://other.example/debian trixie-pgdg main\n',
  'etc/apt/apt.conf.d/70debconf': '',
  'etc/cloud/cloud.cfg.d/05_logging.cfg': '',
  'etc/profile.d/own.sh': '',
  'etc/sudoers.d/README': '',
  'etc/zsh/zprofile': '# no line break',
  'etc/fish/conf.d/own.fish': '',
  'etc/landfall/site.json': '{}',
  'etc/systemd/system/own.service': '',
};
const site = {
  route: { mode: 'http-proxy', url: 'http://me:secret@192.0.2.2:7890' },
  mirrors: { apt: 'http://192.0.2.7/debian' },
  ca: new CertificateAuthority().cert,
};

function fresh() {
  const group = { 'getent group sudo': `sudo:x:${process.getgid?.()}:ops\n` };
  const host = authorityHost(files, { ...group, systemctl: '' });
  return { host, context: contextFor(host, { site }) };
}

/** Lists every file and folder with its permissions and content. */
function portrait(host: TemporaryHost, folder: string): string[] {
  return readdirSync(host.path(folder), { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const text = entry.isFile() ? readFileSync(path, 'utf8') : '';
      return `${path} ${statSync(path).mode} ${text}`;
    })
    .sort();
}

describe('undoing the route', () => {
  it('restores /etc to what it was before, byte for byte', async () => {
    const { host, context } = fresh();
    const before = portrait(host, 'etc');
    await routeStage.apply(context);
    expect(portrait(host, 'etc')).not.toEqual(before);
    expect(await undoRoute(context)).toEqual([]);
    expect(portrait(host, 'etc')).toEqual(before);
  });

  // The password of an archive is often in the file itself, and comments may be Latin-1 or GBK.
  it('restores bytes, modes and owners of package sources, which others never can read', async () => {
    const { host, context } = fresh();
    const bytes = Buffer.concat([
      Buffer.from([0x23, 0x20, 0xc4, 0xe3, 0xe9, 0x0a]),
      Buffer.from('deb https://me:secret@deb.example.com/debian trixie main\n'),
    ]);
    writeFileSync(host.path(list), bytes);
    chmodSync(host.path(list), 0o600);
    if (process.getuid?.() === 0) chownSync(host.path(list), 1234, 1235);
    const facts = () => {
      const { mode, uid, gid } = statSync(host.path(list));
      return { mode, uid, gid };
    };
    const before = facts();
    await routeStage.apply(context);
    expect(readFileSync(host.path(list)).includes('192.0.2.7')).toBe(true);
    expect(facts()).toEqual(before);
    const copies = host.path('var/lib/landfall/apt-sources');
    expect(statSync(copies).mode & 0o777).toBe(0o700);
    expect(statSync(join(copies, list)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(copies, list)).equals(bytes)).toBe(true);
    await undoRoute(context);
    expect(readFileSync(host.path(list)).equals(bytes)).toBe(true);
    expect(facts()).toEqual(before);
  });

  it('changes and restores the file that a link of package sources leads to', async () => {
    const { host, context } = fresh();
    const managed = 'etc/managed.list';
    renameSync(host.path(list), host.path(managed));
    symlinkSync('../managed.list', host.path(list));
    await routeStage.apply(context);
    expect(readlinkSync(host.path(list))).toBe('../managed.list');
    expect(readFileSync(host.path(managed), 'utf8')).toContain('192.0.2.7');
    await undoRoute(context);
    expect(readlinkSync(host.path(list))).toBe('../managed.list');
    expect(readFileSync(host.path(managed), 'utf8')).toBe(files[list]);
  });

  it('ignores package sources that are a link to themselves', async () => {
    const { host, context } = fresh();
    rmSync(host.path(list));
    symlinkSync('sources.list', host.path(list));
    await routeStage.apply(context);
    expect(await undoRoute(context)).toEqual([]);
    expect(readlinkSync(host.path(list))).toBe('sources.list');
  });

  it('changes nothing the second time, and the route can be applied again', async () => {
    const { host, context } = fresh();
    await routeStage.apply(context);
    const on = portrait(host, 'etc');
    await undoRoute(context);
    const off = portrait(host, 'etc');
    expect(await undoRoute(context)).toEqual([]);
    expect(portrait(host, 'etc')).toEqual(off);
    await routeStage.apply(context);
    expect(portrait(host, 'etc')).toEqual(on);
  });

  it('keeps sources that the administrator changed since, and names them', async () => {
    const { host, context } = fresh();
    await routeStage.apply(context);
    writeFileSync(host.path(list), 'deb http://192.0.2.9/debian trixie main\n');
    expect(await undoRoute(context)).toEqual([list]);
    expect(readFileSync(host.path(list), 'utf8')).toContain('192.0.2.9');
  });
});

describe('the shown route', () => {
  it('shows the route without its password, and names what is missing', async () => {
    const { context } = fresh();
    const shown = await shownRoute(context);
    expect(shown).toMatchObject({ mode: 'http-proxy', state: 'off' });
    expect(shown.proxy).toBe('http://me:***@192.0.2.2:7890');
    expect(JSON.stringify(shown) + describeRoute(shown)).not.toContain('secret');
    expect(describeRoute(shown)).toContain('          - set the proxy for login shells');
  });

  it('shows the route as on after the stage, incomplete after a change, off after its removal', async () => {
    const { host, context } = fresh();
    await routeStage.apply(context);
    expect((await shownRoute(context)).state).toBe('on');
    writeFileSync(host.path('etc/profile.d/landfall-proxy.sh'), '');
    expect((await shownRoute(context)).state).toBe('incomplete');
    await undoRoute(context);
    expect((await shownRoute(context)).state).toBe('off');
  });

  it('shows the route as direct for a site without a proxy', async () => {
    const { host } = fresh();
    expect(describeRoute(await shownRoute(contextFor(host)))).toBe(
      'route     direct, without a proxy\nstate     on',
    );
  });
});
