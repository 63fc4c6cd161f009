import { LandfallError } from '#contract/errors.ts';
import { type BackupTarget, targetText } from '#contract/site/backup/targets.ts';
import { inLanguage } from '#contract/text/language.ts';
import { lastGroup, readOrMakePassword, readPassword } from '../../backup/password.ts';
import {
  isPinned,
  pinHostKey,
  prepareTarget,
  scanHostKey,
  sshPublicKey,
} from '../../backup/prepare-target.ts';
import { needsSetUp, readBackupState, writeBackupState } from '../../backup/state.ts';
import { backupTimer } from '../../backup/timer.ts';
import type { Host } from '../../host/host.ts';
import { takeRunLock } from '../../host/lock/run-lock.ts';
import { install } from '../../host/service.ts';
import type { Facts } from '../../load-facts.ts';
import { updateReport } from '../../report/stored-report.ts';
import { askFor, askLine } from '../ask-yes.ts';

const say = (en: string, zh: string) => console.log(inLanguage({ en, zh }));

/**
 * Sets up backups: installs restic, creates the repositories, makes the password, and asks for its end.
 * Every step can be repeated: after Ctrl-C, the next call continues.
 * @throws LandfallError BACKUP_…, USAGE without a terminal
 */
export async function initBackup({ host, site }: Facts): Promise<void> {
  if (!site.backup) throw noTargets();
  if (!process.stdin.isTTY) throw noTerminal();
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
    if (target.kind === 'sftp' && !(await isTrusted(host, target))) continue;
    const isNew = await prepareTarget(host, site, target);
    if (isNew) say(`Created the repository at ${name}.`, `已创建备份仓库：${name}。`);
    else say(`The repository at ${name} is ready.`, `备份仓库已就绪：${name}。`);
    console.log(inLanguage(deletes(target, site.backup.keep === 'never')));
  }
  await install(host, backupTimer(site));
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
        en: `${who.en}; whether an attacker on this server can delete them is decided there (docs/backup.md).`,
        zh: `${who.zh}；控制了这台服务器的人能否删除备份，取决于对方的设置（docs/zh/backup.md）。`,
      };
}

/** Shows both keys of an SFTP target, and asks. Returns whether the administrator agrees. */
async function isTrusted(
  host: Host,
  target: Extract<BackupTarget, { kind: 'sftp' }>,
): Promise<boolean> {
  const key = await scanHostKey(host, target);
  const own = await sshPublicKey(host);
  if (await isPinned(host, key)) return true;
  const { user, host: name } = target;
  say(`The host key of ${name}:`, `${name} 的主机密钥：`);
  console.log(`  ${key.fingerprint}`);
  say(
    `The key of this server, for ~${user}/.ssh/authorized_keys on ${name}:`,
    `这台服务器的公钥，请加入 ${name} 上的 ~${user}/.ssh/authorized_keys：`,
  );
  console.log(`  restrict ${own}`);
  const question = {
    en: 'Is the host key right, and is the key of this server in its place? [y/N] ',
    zh: '主机密钥是否正确，公钥是否已加入？[y/N] ',
  };
  if (!(await askFor('y', inLanguage(question), '--yes'))) {
    say(`${name} is left out. Run the command again.`, `已跳过 ${name}。请重新运行此命令。`);
    return false;
  }
  await pinHostKey(host, key);
  return true;
}

/** Shows the password, and asks for its last group. */
async function confirmPassword(host: Host, password: string): Promise<void> {
  const state = await readBackupState(host);
  if (state.isConfirmed) return;
  await printPassword(password);
  say(
    'Write it down away from this server. If this server is lost, the backups cannot be read without it.',
    '请把它记在这台服务器以外的地方：服务器丢失后，没有它谁也无法读取备份。',
  );
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const typed = await askLine(
      inLanguage({ en: 'Type the last group: ', zh: '请输入最后一组：' }),
    );
    if (typed.trim().toLowerCase() === lastGroup(password)) {
      await writeBackupState(host, { ...(await readBackupState(host)), isConfirmed: true });
      return;
    }
    say('That is not the last group.', '与最后一组不符。');
  }
  throw new LandfallError('BACKUP_PASSWORD', 'the password is not confirmed', {
    hint: 'Run `sudo landfall backup init` again: it shows the same password.',
  });
}

/**
 * Shows the password again.
 * @throws LandfallError BACKUP_MISSING before `landfall backup init`
 */
export async function showKey({ host }: Facts, yes = false): Promise<void> {
  const password = await readPassword(host, 'person');
  if (password === undefined) {
    throw new LandfallError('BACKUP_MISSING', 'there is no password yet', {
      hint: 'Run `sudo landfall backup init`.',
    });
  }
  const question = {
    en: 'Show the password of the backups on this screen? [y/N] ',
    zh: '在屏幕上显示备份密码？[y/N] ',
  };
  if (!yes && !(await askFor('y', inLanguage(question), '--yes'))) return;
  await printPassword(password);
}

async function printPassword(password: string): Promise<void> {
  const { renderUnicodeCompact } = await import('uqr');
  say('The password of the backups:', '备份密码：');
  console.log(`\n  ${password}\n`);
  if (process.stdout.isTTY) console.log(`${renderUnicodeCompact(password, { border: 2 })}\n`);
}

function noTargets(): LandfallError {
  return new LandfallError('USAGE', 'the site has no `backup`', {
    hint: 'Add it to /etc/landfall/site.json, such as "backup": {"to": [{"kind": "folder", "path": "/mnt/backup"}]}. See docs/backup.md.',
  });
}

function noTerminal(): LandfallError {
  return new LandfallError('USAGE', 'this command shows a password and asks for its end', {
    hint: 'Run it on a terminal.',
  });
}
