import { LandfallError } from '#contract/errors.ts';
import { type BackupTarget, targetText } from '#contract/site/backup/targets.ts';
import { inLanguage } from '#contract/text/language.ts';
import { readOrMakePassword } from '../../operations/backup/password.ts';
import { prepareTarget } from '../../operations/backup/prepare-target.ts';
import type { Host } from '../../server/host/host.ts';
import { takeRunLock } from '../../server/host/lock/run-lock.ts';
import { install } from '../../server/host/service.ts';
import type { Facts } from '../../server/load-facts.ts';
import { needsSetUp, storedBackups } from '../../server/records/backups.ts';
import { backupTimers } from '../../server/timers/backups.ts';
import { updateReport } from '../../stages/report/stored-report.ts';
import { askLastGroup, expectTerminal } from './show-password.ts';
import { trustHostKey } from './trust-host-key.ts';

const say = (en: string, zh: string) => console.log(inLanguage({ en, zh }));

/**
 * Sets up backups: installs restic, creates the repositories, makes the password, and asks for its end.
 * Every step can be repeated: after Ctrl-C, the next call continues.
 * @throws LandfallError BACKUP_…, USAGE without a terminal
 */
export async function initBackup({ host, site }: Facts): Promise<void> {
  if (!site.backup) throw noTargets();
  expectTerminal();
  await takeRunLock(host, 'backup');
  await install(
    host,
    { packages: ['restic', 'openssh-client'] },
    { say: (line) => console.log(line) },
  );
  await readOrMakePassword(host, 'server');
  const password = await readOrMakePassword(host, 'person');
  for (const target of site.backup.to) {
    const name = targetText(target);
    if (target.kind === 'sftp' && !(await trustHostKey({ host, site }, target))) {
      say(`${name} is left out. Run the command again.`, `已跳过 ${name}。请重新运行此命令。`);
      continue;
    }
    const isNew = await prepareTarget(host, site, target);
    if (isNew) say(`Created the repository at ${name}.`, `已创建备份仓库：${name}。`);
    else say(`The repository at ${name} is ready.`, `备份仓库已就绪：${name}。`);
    console.log(inLanguage(deletes(target, site.backup.keep === 'never')));
  }
  await install(host, backupTimers(site));
  await confirmPassword(host, password);
  await updateReport(host, { needsBackup: await needsSetUp(host, site) });
  say(
    `Backups are made daily at ${site.backup.at}. To make one now, run: sudo landfall backup run`,
    `每天 ${site.backup.at} 备份。立即备份请运行：sudo landfall backup run`,
  );
}

/** Says in one line what a stolen server could delete at a target. */
function deletes({ kind }: BackupTarget, keepsAll: boolean): { en: string; zh: string } {
  const who = keepsAll
    ? { en: 'Landfall deletes no backups there', zh: 'Landfall 不会删除其中的备份' }
    : { en: 'Landfall deletes old backups there', zh: 'Landfall 会删除其中的旧备份' };
  return kind === 'folder'
    ? {
        en: `${who.en}; an attacker on this server can delete all of them.`,
        zh: `${who.zh}；控制了这台服务器的人可以删除全部备份。`,
      }
    : {
        en: `${who.en}; whether an attacker on this server can delete them is decided there (backup.md of the documentation).`,
        zh: `${who.zh}；控制了这台服务器的人能否删除备份，取决于对方的设置（Landfall 文档 backup.md）。`,
      };
}

/** Shows the password, and asks for its last group. */
async function confirmPassword(host: Host, password: string): Promise<void> {
  if ((await storedBackups.read(host)).isConfirmed) return;
  await askLastGroup(password, 'sudo landfall backup init');
  await storedBackups.write(host, { ...(await storedBackups.read(host)), isConfirmed: true });
}

function noTargets(): LandfallError {
  return new LandfallError(
    'USAGE',
    inLanguage({ en: 'the site has no `backup`', zh: '站点没有设置 `backup`' }),
    {
      hint: {
        en: 'Add one, such as: sudo landfall site add backup.to "{ kind: folder, path: /mnt/backup }". See backup.md of the documentation.',
        zh: '添加一个，例如：sudo landfall site add backup.to "{ kind: folder, path: /mnt/backup }"。见 Landfall 文档 backup.md。',
      },
    },
  );
}
