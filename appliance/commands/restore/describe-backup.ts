import { formatBytes } from '#contract/text/amount.ts';
import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import type { ChosenBackup } from '../../operations/restore/choose-backup.ts';

/** Formats what a backup is, before it is restored. */
export function describeBackup({ restic, snapshot, manifest, size }: ChosenBackup): string {
  const say = (en: string, zh: string) => inLanguage({ en, zh });
  const { id, at, hostname } = snapshot;
  const unknown = say('unknown', '未知');
  const [users, chats] = [manifest.users ?? unknown, manifest.chats ?? unknown];
  return formatTable([
    [say('backup', '备份'), `${id}, ${formatTime(new Date(at))}`],
    [say('from', '来自'), `${plainLine(hostname, 100)}, ${restic.name}`],
    [say('release', '版本'), manifest.release.version],
    [say('accounts', '账户'), `${users}`],
    [say('chats', '对话'), `${chats}`],
    [say('size', '大小'), formatBytes(size)],
  ]);
}

/** Formats what of a backup is not restored, one line per file. */
export function describeLeftOut(paths: readonly string[]): string[] {
  return paths
    .map((path) => plainLine(path))
    .map((path) =>
      inLanguage({
        en: `warning: /${path} of the backup is left out: it is not what Landfall stores there`,
        zh: `警告：未恢复备份中的 /${path}：Landfall 不会在该处存放这样的内容`,
      }),
    );
}
