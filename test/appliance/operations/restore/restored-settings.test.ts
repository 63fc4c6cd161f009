import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanSettings } from '../../../../appliance/operations/restore/restored-settings.ts';
import { fuzzRuns } from '../../../simulator/fuzz.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const acme = 'var/lib/landfall/acme/config';
const secret = 'etc/landfall/secrets/KEY';

/** Restores files, with modes and owners of another server. */
function restored(files: Readonly<Record<string, string>>, mode = 0o7777) {
  const settings = TemporaryHost.with({}).root;
  for (const [path, text] of Object.entries(files)) {
    const file = join(settings, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (process.getuid?.() === 0) chownSync(file, 1000, 1000);
    chmodSync(file, mode);
    chmodSync(dirname(file), mode);
  }
  return settings;
}

/** Returns the paths of all files below a folder. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

describe('owners and modes of restored settings', () => {
  const taken = [
    secret,
    'etc/landfall/backup/server-key',
    'etc/landfall/swarm/key',
    'etc/landfall/authority/ca.1/privkey.pem',
    'etc/landfall/tls/privkey.pem',
    'var/lib/docker/swarm/state.json',
    `${acme}/certificates/x.key`,
  ];

  it.each(taken)('lets only root read %s', async (path) => {
    const settings = restored({ [path]: 'x' });
    expect(await cleanSettings(settings)).toEqual({ leftOut: [] });
    const { mode, uid, gid } = lstatSync(join(settings, path));
    expect([mode & 0o7777, uid, gid]).toEqual([0o600, process.getuid?.(), process.getgid?.()]);
    for (let at = dirname(path); at !== '.'; at = dirname(at)) {
      expect(lstatSync(join(settings, at)).mode & 0o7777, at).toBe(0o700);
    }
  });

  it.each(['firewall', 'ban', 'disk'])('lets every user read %s.json', async (name) => {
    const settings = restored({ [`etc/landfall/${name}.json`]: '{}' });
    await cleanSettings(settings);
    expect(lstatSync(join(settings, `etc/landfall/${name}.json`)).mode & 0o7777).toBe(0o644);
  });

  it('adds no permission that the backup does not have', async () => {
    const settings = restored({ [secret]: 'x' }, 0o400);
    await cleanSettings(settings);
    expect(lstatSync(join(settings, secret)).mode & 0o7777).toBe(0o400);
  });
});

describe('what a restored server would run', () => {
  const account = 'accounts/acme-v02.api.letsencrypt.org/ops@example.com';
  const state = [
    `${account}/account.json`,
    `${account}/ops@example.com.key`,
    'certificates/acme.crt',
    'certificates/acme.json',
    'certificates/acme.key',
  ].map((path) => `${acme}/${path}`);
  const hooks = [
    '.lego.yml',
    'lego.yaml',
    `${account}/hook.sh`,
    `${account}/deeper/account.json`,
    'archives/x.zip',
    'certificates/acme.sh',
    'certificates/deeper/acme.crt',
  ].map((path) => `${acme}/${path}`);

  it('keeps accounts, certificates and keys of lego, and nothing that it runs', async () => {
    const files = Object.fromEntries([...state, ...hooks].map((path) => [path, 'x']));
    const settings = restored(files);
    const { odd, leftOut } = await cleanSettings(settings);
    expect(odd).toBeUndefined();
    expect(filesOf(settings)).toEqual(state);
    const gone = (path: string) => leftOut.some((each) => `${path}/`.startsWith(`${each}/`));
    expect(hooks.filter((path) => !gone(path))).toEqual([]);
  });

  it.each(['.lego.yml', 'certificates/acme.json'])(
    'leaves out a link in place of %s, which could lead to other content',
    async (name) => {
      const settings = restored({ [`${acme}/certificates/x.crt`]: '' });
      symlinkSync('x.crt', join(settings, acme, name));
      expect(await cleanSettings(settings)).toEqual({ leftOut: [`${acme}/${name}`] });
    },
  );
});

describe('restored secrets', () => {
  it.each([
    ['a second line', 'a\nWEBUI_ADMIN=x'],
    ['a quote', "a'; touch /tmp/x; '"],
    ['a backslash', 'a\\'],
    ['a control character', 'a\u0000'],
  ])('leaves out a secret with %s', async (_what, value) => {
    const settings = restored({ [secret]: value, 'etc/landfall/secrets/OTHER': 'good\n' });
    expect(await cleanSettings(settings)).toEqual({ leftOut: [secret] });
    expect(filesOf(settings)).toEqual(['etc/landfall/secrets/OTHER']);
  });

  it('leaves out a folder among the secrets', async () => {
    const settings = restored({ 'etc/landfall/secrets/a/b': 'x' });
    expect(await cleanSettings(settings)).toEqual({ leftOut: ['etc/landfall/secrets/a'] });
  });
});

describe('the size of restored settings', () => {
  it('rejects a file that is larger than a setting', async () => {
    const settings = restored({ [secret]: 'x' });
    truncateSync(join(settings, secret), (4 << 20) + 1);
    expect(await cleanSettings(settings)).toMatchObject({ odd: secret });
  });

  it('accepts a log of a Swarm', async () => {
    const log = 'var/lib/docker/swarm/raft/wal-v3-encrypted/0.wal';
    const settings = restored({ [log]: 'x' });
    truncateSync(join(settings, log), 64 << 20);
    expect(await cleanSettings(settings)).toEqual({ leftOut: [] });
  });
});

describe('any restored settings', () => {
  const name = fc.oneof(
    fc.constantFrom(
      ...'accounts live renewal x.conf cli.ini renewal-hooks deploy ca KEY'.split(' '),
    ),
    fc.stringMatching(/^[ -.0-~]{1,8}$/).filter((text) => !['.', '..'].includes(text)),
  );
  const folder = fc.constantFrom(
    'etc/landfall/secrets',
    'etc/landfall/authority',
    'etc/landfall/tls',
    'etc/landfall',
    acme,
  );
  const entry = fc.record({
    path: fc
      .tuple(folder, fc.array(name, { minLength: 1, maxLength: 3 }))
      .map(([at, names]) => join(at, ...names)),
    mode: fc.integer({ min: 0, max: 0o7777 }),
    text: fc.oneof(fc.string({ unit: 'binary' }), fc.constant('good')),
    link: fc.option(
      fc.constantFrom('../../secrets/KEY', '/etc/shadow', 'x', '../x', '../../../challenges/x'),
      { freq: 4 },
    ),
  });

  it('keeps files of root without links to elsewhere, or rejects the backup', async () => {
    const property = fc.asyncProperty(fc.array(entry, { maxLength: 12 }), async (entries) => {
      const settings = TemporaryHost.with({}).root;
      for (const { path, mode, text, link } of entries) {
        const file = join(settings, path);
        try {
          mkdirSync(dirname(file), { recursive: true });
          if (existsSync(file)) continue;
          if (link !== null) symlinkSync(link, file);
          else writeFileSync(file, text);
          if (link === null) chmodSync(file, mode);
        } catch {
          // A path below a file: not possible in a backup either.
        }
      }
      const { odd } = await cleanSettings(settings);
      if (odd !== undefined) return;
      for (const path of filesOf(settings)) {
        const found = lstatSync(join(settings, path));
        if (found.isSymbolicLink()) expect(path).toMatch(/^(?:etc\/landfall\/authority|var)\//);
        else expect(found.mode & 0o7133, path).toBe(0);
        expect(path).not.toMatch(/config\/(?:cli\.ini|renewal-hooks)/);
        if (path.startsWith('etc/landfall/secrets/')) {
          expect(readFileSync(join(settings, path), 'utf8')).not.toMatch(/['\\]|\n./);
        }
      }
    });
    await fc.assert(property, { numRuns: fuzzRuns(200) });
  });
});
