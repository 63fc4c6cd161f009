import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  emptyVolume,
  placeOnNewServer,
} from '../../../../appliance/operations/restore/place-on-new-server.ts';
import type { ChatFacts } from '../../../../appliance/server/chats/chat-facts.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const id = '11111111-2222-3333-4444-555555555555';
const volume = 'volumes/landfall_ui-data';
const none = { revision: null, users: null, chats: null, administrator: null };
const facts: ChatFacts = { ...none, oldest: null, newest: null, document: null };

/** Files of a backup that a new server takes over. */
const takenFiles = [
  'etc/landfall/secrets/KEY',
  'etc/landfall/backup/password',
  'etc/landfall/backup/known_hosts',
  'etc/landfall/firewall.json',
  'etc/landfall/ban.json',
  'etc/landfall/disk.json',
  'etc/landfall/authority/ca.0123/privkey.pem',
  'etc/landfall/tls/fullchain.pem',
  'var/lib/landfall/acme/config/archive/x/cert1.pem',
];
/** Files that decide what this server installs and trusts, or that belong to the earlier server. */
const ownFiles = [
  'etc/landfall/boot.json',
  'etc/landfall/trust.json',
  'etc/landfall/keys/release.pem',
  'etc/landfall/firewall.nft',
  'etc/landfall/route/proxies.json',
  'etc/landfall/proxy.env',
  'var/lib/landfall/acme/logs/letsencrypt.log',
  'var/lib/landfall/installed',
  'etc/passwd',
];
const siteFile = 'etc/landfall/site.json';
const earlierSite = 'var/lib/landfall/backup/earlier-site.json';

/** A new server with a fetched backup beside an empty volume. */
function newServer(hasChats = true) {
  const host = TemporaryHost.with({
    [siteFile]: 'site of now',
    'etc/landfall/boot.json': 'boot of now',
    'etc/landfall/secrets/NEW': 'a secret of now',
    'etc/landfall/backup/password': 'password of now',
    [`${volume}/_data/created`]: 'by Docker',
  });
  const settings = host.path(volume, '_data.restore/backup');
  const restored = (path: string, mode = 0o600) => {
    mkdirSync(dirname(join(settings, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(settings, path), `${path} of before`, { mode });
  };
  for (const path of [...takenFiles, ...ownFiles, siteFile]) restored(path);
  symlinkSync('ca.0123', join(settings, 'etc/landfall/authority/ca'));
  const live = join(settings, 'var/lib/landfall/acme/config/live');
  mkdirSync(live, { mode: 0o700 });
  symlinkSync('../archive/x/cert1.pem', join(live, 'cert.pem'));
  if (hasChats) {
    for (const [path, text] of [
      ['.sha256', ''],
      ['/webui.db', 'chats of before'],
    ]) {
      mkdirSync(host.path(volume, `_data.copy-${id}`), { recursive: true });
      writeFileSync(host.path(volume, `_data.copy-${id}${path}`), text ?? '');
    }
  }
  const fetched = {
    settings,
    facts: hasChats ? facts : undefined,
    leftOut: [],
    remove: async () => {},
  };
  const place = (kept: readonly string[] = []) =>
    placeOnNewServer(host, fetched, host.path(volume), id, kept);
  const text = (path: string) => readFileSync(host.path(path), 'utf8');
  return { host, place, text };
}

describe('a backup on a new server', () => {
  it('puts secrets, keys and certificates of the earlier server in place', async () => {
    const { host, place, text } = newServer();
    await place();
    for (const path of takenFiles) expect(text(path)).toBe(`${path} of before`);
    expect(readlinkSync(host.path('etc/landfall/authority/ca'))).toBe('ca.0123');
    expect(text('var/lib/landfall/acme/config/live/cert.pem')).toContain('cert1.pem of before');
    expect(text('etc/landfall/secrets/NEW')).toBe('a secret of now');
  });

  it('keeps the trust anchor, the boot settings and the site of the new server', async () => {
    const { host, place, text } = newServer();
    await place();
    expect(text(siteFile)).toBe('site of now');
    expect(text('etc/landfall/boot.json')).toBe('boot of now');
    for (const path of ownFiles.slice(1)) expect(existsSync(host.path(path)), path).toBe(false);
    expect(text(earlierSite)).toBe(`${siteFile} of before`);
  });

  it('keeps files that have opened the repository', async () => {
    const { place, text } = newServer();
    await place(['etc/landfall/backup/password', 'etc/landfall/backup/absent']);
    expect(text('etc/landfall/backup/password')).toBe('password of now');
    expect(text('etc/landfall/backup/known_hosts')).toContain('of before');
  });

  it('lets only root read secrets, keys and their folders', async () => {
    const { host, place } = newServer();
    await place();
    const modeOf = (path: string) => lstatSync(host.path(path)).mode & 0o7777;
    for (const path of [...takenFiles, earlierSite]) expect(modeOf(path), path).toBe(0o600);
    for (const path of [
      'etc/landfall/secrets',
      'etc/landfall/backup',
      'etc/landfall/tls',
      'etc/landfall/authority',
      'var/lib/landfall/acme/config/live',
    ]) {
      expect(modeOf(path), path).toBe(0o700);
    }
  });

  it('puts the chats in place, without a rest of the empty volume', async () => {
    const { host, place, text } = newServer();
    await place();
    expect(text(`${volume}/_data/webui.db`)).toBe('chats of before');
    expect(readdirSync(host.path(volume)).sort()).toEqual(['_data', '_data.restore']);
    expect(readdirSync(host.path(volume, '_data'))).toEqual(['webui.db']);
  });

  it('leaves the volume as it is for a backup without chats', async () => {
    const { host, place } = newServer(false);
    await place();
    expect(readdirSync(host.path(volume, '_data'))).toEqual(['created']);
  });

  it('puts the same in place when it is repeated', async () => {
    const { host, place, text } = newServer();
    const kept = ['etc/landfall/backup/password'];
    await place(kept);
    await place(kept);
    for (const path of takenFiles.filter((each) => !kept.includes(each))) {
      expect(text(path)).toBe(`${path} of before`);
    }
    expect(text('etc/landfall/backup/password')).toBe('password of now');
    expect(readlinkSync(host.path('etc/landfall/authority/ca'))).toBe('ca.0123');
    expect(text(`${volume}/_data/webui.db`)).toBe('chats of before');
  });
});

describe('the empty volume for a backup', () => {
  const inspect = 'docker volume inspect --format {{json .Mountpoint}} landfall_ui-data';
  const create =
    'docker volume create --label com.docker.compose.project=landfall --label com.docker.compose.volume=ui-data landfall_ui-data';

  // Docker exits with 1 for a volume that does not exist.
  it.each([0, 1])(
    'creates the volume as Compose does after a removal with exit code %s',
    async (code) => {
      const host = TemporaryHost.with(
        {},
        {
          'docker volume rm landfall_ui-data': code === 0 ? '' : code,
          [create]: 'landfall_ui-data\n',
          [inspect]: '"/var/lib/docker/volumes/landfall_ui-data/_data"\n',
        },
      );
      expect(await emptyVolume(host)).toBe('/var/lib/docker/volumes/landfall_ui-data');
      expect(host.ran).toEqual(['docker volume rm landfall_ui-data', create, inspect]);
    },
  );
});
