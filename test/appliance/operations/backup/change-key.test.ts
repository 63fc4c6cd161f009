import { mkdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LandfallError } from '#contract/errors.ts';
import type { BackupTarget } from '#contract/site/backup/targets.ts';
import { replaceKeys } from '../../../../appliance/operations/backup/change-key.ts';
import { readPassword } from '../../../../appliance/operations/backup/password.ts';
import { Host } from '../../../../appliance/server/host/host.ts';
import type { RunCommand } from '../../../../appliance/server/host/run/command.ts';
import { TemporaryHost } from '../../temporary-host.ts';

const folder = { kind: 'folder', path: '/mnt/backup' } as const;
const sftp = { kind: 'sftp', host: 'b.example.com', port: 22, user: 'me', path: '/l' } as const;
const targets: readonly BackupTarget[] = [folder, sftp];
const files = {
  'etc/landfall/backup/server-key': 'server\n',
  'etc/landfall/backup/password': 'old-old\n',
  'etc/landfall/backup/password.new': 'new-new\n',
};

interface Key {
  readonly id: string;
  readonly user: string;
  readonly password: string;
}

/** Two repositories with keys, as restic shows and changes them. */
class Repositories {
  readonly host: Host;
  readonly #keys: Record<'folder' | 'sftp', Key[]>;
  /** Commands until the program is killed. */
  left = Number.POSITIVE_INFINITY;
  /** Whether the SFTP server responds. */
  isReachable = true;
  /** Whether the targets remove keys. */
  removes = true;
  #added = 0;

  constructor() {
    const { root } = TemporaryHost.with(files);
    mkdirSync(`${root}/mnt/backup`, { recursive: true });
    const keys = () => [
      { id: '11111111', user: 'root', password: 'server' },
      { id: '22222222', user: 'person', password: 'old-old' },
    ];
    this.#keys = { folder: keys(), sftp: keys() };
    this.host = new Host(root, (file, args) => this.#run(file, args));
  }

  readonly #run: RunCommand = async (file, args) => {
    if (file === 'systemctl') return { code: 0, stdout: '', stderr: '' };
    if (this.left === 0) throw new Error('killed');
    this.left -= 1;
    const line = args.join(' ');
    const name = line.includes('sftp:me@') || line.includes('/usr/bin/ssh') ? 'sftp' : 'folder';
    if (name === 'sftp' && !this.isReachable) throw failure('connection refused');
    const stdout = this.#answer(name, args);
    return { code: 0, stdout, stderr: '' };
  };

  #answer(name: 'folder' | 'sftp', args: readonly string[]): string {
    const keys = this.#keys[name];
    const read = (path = '') =>
      readFileSync(this.host.path(path.replace('/keys/', 'etc/landfall/backup/')), 'utf8').trim();
    const password = read(args[args.lastIndexOf('--password-file') + 1]);
    const current = keys.find((key) => key.password === password);
    if (!current) throw failure('wrong password or no key found');
    const command = args.slice(args.lastIndexOf('/keys/server-key') + 1);
    if (command.includes('list')) {
      const shown = keys.map((key) => {
        const isOurs = key === current;
        return { current: isOurs, id: key.id, userName: key.user, hostName: key.user };
      });
      return JSON.stringify(shown);
    }
    if (args.includes('add')) {
      this.#added += 1;
      const added = read(args[args.indexOf('--new-password-file') + 1]);
      keys.push({ id: `3333333${this.#added}`, user: 'person', password: added });
    }
    if (args.includes('remove')) {
      const index = keys.findIndex(({ id }) => id === args.at(-1));
      if (index === -1 || keys[index] === current) throw failure('refusing to remove key');
      if (this.removes) keys.splice(index, 1);
    }
    return '';
  }

  /** The passwords that open both repositories. */
  get everywhere(): string[] {
    const { folder: first, sftp: second } = this.#keys;
    return first
      .map(({ password }) => password)
      .filter((password) => second.some((key) => key.password === password));
  }

  /** The passwords that open a repository. */
  at(name: 'folder' | 'sftp'): string[] {
    return this.#keys[name].map(({ password }) => password);
  }

  async change(): Promise<void> {
    await replaceKeys(this.host, { route: { mode: 'direct' } }, targets, 'new-new', () => {});
  }
}

function failure(message: string): LandfallError {
  return new LandfallError('COMMAND_FAILED', 'restic failed', { problems: [{ message }] });
}

describe('the replacement of the password', () => {
  it('adds the new key at every target, then removes the old one, and keeps that of the server', async () => {
    const repositories = new Repositories();
    await repositories.change();
    expect(repositories.at('folder')).toEqual(['server', 'new-new']);
    expect(repositories.at('sftp')).toEqual(['server', 'new-new']);
    expect(await readPassword(repositories.host, 'person')).toBe('new-new');
    expect(await readPassword(repositories.host, 'next')).toBeUndefined();
  });

  it('keeps the stored password valid at every target, whenever it is killed, and continues', async () => {
    for (let commands = 0; ; commands += 1) {
      const repositories = new Repositories();
      repositories.left = commands;
      const isDone = await repositories.change().then(
        () => true,
        () => false,
      );
      const stored = await readPassword(repositories.host, 'person');
      expect(repositories.everywhere).toEqual(expect.arrayContaining(['server', stored]));
      repositories.left = Number.POSITIVE_INFINITY;
      if (isDone) break;
      await repositories.change();
      expect(repositories.everywhere).toEqual(['server', 'new-new']);
      expect(await readPassword(repositories.host, 'next')).toBeUndefined();
      expect(commands).toBeLessThan(40);
    }
  });

  it('removes nothing while a target cannot be reached', async () => {
    const repositories = new Repositories();
    repositories.isReachable = false;
    await expect(repositories.change()).rejects.toMatchObject({
      code: 'BACKUP_FAILED',
      message: expect.stringMatching(/^me@b.example.com.*earlier password stays valid everywhere$/),
    });
    expect(repositories.at('folder')).toEqual(['server', 'old-old', 'new-new']);
    expect(await readPassword(repositories.host, 'person')).toBe('old-old');
  });

  it('names a target that does not remove the old key', async () => {
    const repositories = new Repositories();
    repositories.removes = false;
    await expect(repositories.change()).rejects.toMatchObject({
      code: 'BACKUP_ACCESS',
      message: expect.stringContaining('/mnt/backup kept the old key'),
    });
    repositories.removes = true;
    await repositories.change();
    expect(repositories.everywhere).toEqual(['server', 'new-new']);
  });
});
