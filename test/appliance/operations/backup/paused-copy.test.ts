import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { copyWhilePaused } from '../../../../appliance/operations/backup/paused-copy.ts';
import { type Answers, TemporaryHost } from '../../temporary-host.ts';

const volume = '/var/lib/docker/volumes/landfall_ui-data';
const facts = { revision: 'x', users: 1, chats: 2, oldest: null, newest: null, document: null };

/** A server with a chat UI. @param inspected `running paused`, in turn */
function server(inspected: string[], more: Answers = {}) {
  const states = [...inspected];
  return TemporaryHost.with(
    {},
    {
      'docker volume inspect': (line) =>
        JSON.stringify(`${host().root}${volume}/_data${line ? '' : ''}`),
      du: '1000\t/x',
      'docker ps': 'abc',
      'docker inspect': () => states.shift() ?? 'true true',
      'systemctl stop': '',
      'systemd-run --on-active': '',
      'docker pause abc': '',
      'docker unpause abc': '',
      'systemd-run --quiet --pipe': (line) =>
        line.includes('backup-check') ? JSON.stringify(facts) : '',
      'rm -rf': '',
      ...more,
    },
  );
}
let current: TemporaryHost;
const host = () => current;

function start(inspected: string[] = [], more: Answers = {}): TemporaryHost {
  current = server(inspected, more);
  mkdirSync(current.path(volume), { recursive: true });
  return current;
}

const names = (ran: readonly string[]) =>
  ran
    .map((line) => /guard|unpause abc$|pause abc$|backup-\w+|on-active/.exec(line)?.[0])
    .filter(Boolean);

describe('the copy for a backup', () => {
  it('copies while the chat UI is paused, and checks the copy afterwards', async () => {
    const copy = await copyWhilePaused(start(), '/release');
    expect(copy?.facts).toMatchObject({ users: 1, chats: 2 });
    expect(names(host().ran)).toEqual([
      ...['on-active', 'pause abc', 'backup-copy', 'unpause abc', 'backup-check'],
    ]);
  });

  it('resumes the chat UI after a failure, and removes the copy', async () => {
    const failing = { 'systemd-run --quiet --pipe': 1 };
    await expect(copyWhilePaused(start([], failing), '/release')).rejects.toThrow('backup-copy');
    expect(host().ran.some((line) => line === 'docker unpause abc')).toBe(true);
    expect(host().ran.at(-1)).toMatch(/^rm -rf -- .*\/_data\.backup$/);
  });

  it('rejects a copy during which the chat UI was resumed', async () => {
    const result = copyWhilePaused(start(['true true', 'true false']), '/release');
    await expect(result).rejects.toMatchObject({ code: 'BACKUP_FAILED' });
  });

  it('pauses nothing if the chat UI does not run', async () => {
    await copyWhilePaused(start([], { 'docker ps': '' }), '/release');
    expect(names(host().ran)).toEqual(['backup-copy', 'backup-check']);
  });
});
