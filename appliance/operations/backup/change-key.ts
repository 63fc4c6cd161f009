import { LandfallError } from '#contract/errors.ts';
import { type BackupTarget, targetText } from '#contract/site/backup/targets.ts';
import type { Site } from '#contract/site/site.ts';
import type { Host } from '../../server/host/host.ts';
import { forgetNextPassword, replacePassword } from './password.ts';
import { addKey, listKeys, person } from './repository-keys.ts';
import { Restic } from './restic.ts';

/**
 * Replaces the password of the person by the stored next one. Every repository gets the next one before an
 * earlier one is removed anywhere, so at every moment the stored password is valid at all targets. After an
 * interruption, the next call continues. The key of the server stays.
 * @param say gets the name of each target
 * @throws LandfallError BACKUP_… with the reasons of all targets that failed
 */
export async function replaceKeys(
  host: Host,
  site: Pick<Site, 'route'>,
  targets: readonly BackupTarget[],
  next: string,
  say: (name: string) => void,
): Promise<void> {
  await atEach(targets, 'the earlier password stays valid everywhere', async (target) => {
    say(targetText(target));
    await addNextKey(await Restic.at({ host, site }, target));
  });
  await replacePassword(host, next);
  await atEach(targets, 'the earlier password may still be valid there', async (target) =>
    removeOldKeys(await Restic.at({ host, site }, target)),
  );
  await forgetNextPassword(host);
}

/** Does something at each target, also after a failure. @throws LandfallError with all failures */
async function atEach(
  targets: readonly BackupTarget[],
  consequence: string,
  work: (target: BackupTarget) => Promise<void>,
): Promise<void> {
  const failures: LandfallError[] = [];
  for (const target of targets) {
    try {
      await work(target);
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
      failures.push(error);
    }
  }
  const [first] = failures;
  if (!first) return;
  const text = failures.map(({ message }) => message).join('; ');
  throw new LandfallError(first.code, `${text}: ${consequence}`, {
    hint: {
      en: 'Fix the cause, then run `sudo landfall backup key new` again: it continues.',
      zh: '解决原因后再次运行 `sudo landfall backup key new`，它会继续。',
    },
    problems: failures.flatMap(({ problems, hint }) => [
      ...problems,
      ...(hint ? [{ message: hint }] : []),
    ]),
  });
}

/** Gives the next password a key, unless it has one. */
async function addNextKey(restic: Restic): Promise<void> {
  await restic.unlock();
  if (await hasNextKey(restic)) return;
  await addKey(restic, 'next');
  if (!(await hasNextKey(restic))) throw notChanged(`${restic.name} did not store the key`);
}

async function hasNextKey(restic: Restic): Promise<boolean> {
  // With the key of the server first: a target that is away is not one without the key.
  await listKeys(restic);
  try {
    await listKeys(restic.with('next'));
    return true;
  } catch (error) {
    if (error instanceof LandfallError && error.code === 'BACKUP_PASSWORD') return false;
    throw error;
  }
}

/** Removes the keys of all persons but that of the next password. */
async function removeOldKeys(restic: Restic): Promise<void> {
  for (const id of await oldKeys(restic)) await restic.run(['key', 'remove', id]);
  // A bucket may refuse the removal without an error of restic.
  if ((await oldKeys(restic)).length > 0) throw notChanged(`${restic.name} kept the old key`);
}

/** Returns the IDs of persons' keys besides the one that the next password opens. */
async function oldKeys(restic: Restic): Promise<string[]> {
  const keys = await listKeys(restic.with('next'));
  return keys
    .filter(({ userName, hostName }) => userName === person && hostName === person)
    .filter(({ current }) => !current)
    .map(({ id }) => id);
}

function notChanged(message: string): LandfallError {
  return new LandfallError('BACKUP_ACCESS', message, {
    hint: {
      en: 'Check that this server may write and delete in `keys/` there. See backup.md of the documentation.',
      zh: '检查这台服务器能否在那里的 `keys/` 中写入和删除。见 Landfall 文档 backup.md。',
    },
  });
}
