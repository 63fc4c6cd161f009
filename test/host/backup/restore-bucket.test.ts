import { expect, it } from 'vitest';
import { storeKey } from '../../stand-ins/object-store/object-store.ts';
import type { startOnServer } from '../commands/start-on-server.ts';
import { distributions } from '../distributions.ts';
import { hostNeeds } from '../host-needs.ts';
import { useBackupLab } from './backup-lab.ts';
import { startRestore } from './start-restore.ts';

const [distribution = 'debian13'] = distributions(['debian13']);
const given = hostNeeds(distribution, 'serverBundle');
const all = { chat: true, document: true };

given.describe(`a backup of ${distribution} in a bucket`, () => {
  const lab = useBackupLab(given, distribution, { kind: 's3', isVirtualHost: true });

  it('brings the backup of a destroyed server to a new one, after wrong keys and passwords', async () => {
    await lab().setUp();
    expect(await lab().backup()).toMatchObject({ exitCode: 0 });
    const password = await lab().password();
    const { premises, bucket } = lab();
    await lab().destroy();
    const fresh = await premises.another({ restore: { from: bucket.target } });
    const wrong = await startRestore(given, fresh);
    await answer(wrong, ['Value of backup-s3-id', storeKey.id]);
    await answer(wrong, ['Value of backup-s3-secret', 'wrong'], ['Password', 'none']);
    expect((await wrong.end()).text).toContain('BACKUP_ACCESS');
    const guesses = await startRestore(given, fresh);
    await answer(
      guesses,
      ['Value of backup-s3-id', storeKey.id],
      ['Value of backup-s3-secret', storeKey.secret],
      ...['Password of the backups', 'Password again', 'Password again'].map(
        (question) => [question, 'a guess'] as const,
      ),
    );
    expect(await guesses.end()).toMatchObject({
      status: 11,
      text: expect.stringContaining('BACKUP_PASSWORD: the password is wrong'),
    });
    const restore = await startRestore(given, fresh);
    await answer(restore, ['Password', password], ['Restore it on this server?', 'y']);
    expect(await restore.end()).toMatchObject({ status: 0 });
    await fresh.comeUp();
    expect(await lab().data.on(fresh.host).found()).toEqual(all);
    expect(bucket.store.unknown).toEqual([]);
  });
});

type Answer = readonly [question: string, typed: string];

async function answer(run: ReturnType<typeof startOnServer>, ...answers: readonly Answer[]) {
  for (const [question, typed] of answers) {
    await run.shows(question);
    run.type(`${typed}\r`);
  }
}
