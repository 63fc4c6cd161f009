import { randomUUID } from 'node:crypto';
import { LandfallError } from '#contract/errors.ts';
import { restoredFile, secretsFolder } from '#contract/server-paths.ts';
import { type BackupTarget, bucketSecrets, targetText } from '#contract/site/backup/targets.ts';
import { hostNames } from '#contract/site/enabled.ts';
import { inLanguage } from '#contract/text/language.ts';
import { keyFile } from '../../operations/backup/repository.ts';
import { Restic } from '../../operations/backup/restic.ts';
import { type ChosenBackup, chooseBackup } from '../../operations/restore/choose-backup.ts';
import { expectSpaceForBackup, fetchBackup } from '../../operations/restore/fetch-backup.ts';
import {
  earlierSiteFile,
  emptyVolume,
  placeOnNewServer,
} from '../../operations/restore/place-on-new-server.ts';
import { readText, removeFile, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { takeRunLock } from '../../server/host/lock/run-lock.ts';
import { readSecret } from '../../server/host/secret-file.ts';
import { install } from '../../server/host/service.ts';
import type { Facts } from '../../server/load-facts.ts';
import { readStanding } from '../../server/progress/state.ts';
import { newTarget, storedBackups } from '../../server/records/backups.ts';
import { Journal } from '../../server/stage/journal.ts';
import { runAlone } from '../../server/stage/run-stages.ts';
import { backupTimers } from '../../server/timers/backups.ts';
import { banStage } from '../../stages/ban/stage.ts';
import { firewallStage } from '../../stages/firewall/stage.ts';
import { setSecret } from '../../stages/secrets/set-secret.ts';
import { askFor } from '../ask-yes.ts';
import { trustHostKey } from '../backup/trust-host-key.ts';
import { consoleReporter } from '../command.ts';
import { readHidden } from '../read-hidden.ts';
import { describeBackup, describeLeftOut } from './describe-backup.ts';

const say = (en: string, zh: string) => console.log(inLanguage({ en, zh }));

/**
 * Brings the backup of an earlier server to this one, whose first boot waits for it. Every step can be repeated:
 * after Ctrl-C, the next call begins again.
 * @param wanted ID of the backup; undefined: the newest one
 * @throws LandfallError BACKUP_…, DISK_FULL, USAGE without a terminal, STATE_INVALID if the first boot
 *   does not wait
 */
export async function restoreOnNewServer(facts: Facts, wanted: string | undefined): Promise<void> {
  const { host, site, release } = facts;
  const target = site.restore?.from;
  if (!target || !(await isWaiting(host))) throw notWaiting(target);
  if (!process.stdin.isTTY) throw noTerminal();
  await takeRunLock(host, 'backup');
  await install(host, { packages: ['restic', 'openssh-client'] }, consoleReporter);
  const restic = await openRepository(facts, target);
  if (!restic) return;
  const backup = await chooseBackup(restic, release, wanted);
  console.log(describeBackup(backup));
  const volume = await emptyVolume(host);
  await expectSpaceForBackup(facts, backup, volume);
  const question = { en: 'Restore it on this server? [y/N] ', zh: '恢复到这台服务器吗？[y/N] ' };
  if (!(await askFor('y', inLanguage(question), '--yes'))) return;
  await bring(facts, target, backup, volume);
  say('The backup is restored. The first boot goes on.', '备份已恢复，首次启动继续进行。');
  say('Follow it with: landfall status --watch', '查看进度：landfall status --watch');
}

async function isWaiting(host: Host): Promise<boolean> {
  const standing = await readStanding(host);
  return (
    standing.kind === 'stages' && standing.status.waitsFor === 'restore' && !standing.interrupted
  );
}

/** Returns the repository with the password of the person; undefined if the host key is declined. */
async function openRepository(
  { host, site }: Facts,
  target: BackupTarget,
): Promise<Restic | undefined> {
  say(`Restoring from ${targetText(target)}.`, `从 ${targetText(target)} 恢复。`);
  if (target.kind === 'sftp' && !(await trustHostKey({ host, site }, target))) return undefined;
  const asked = target.kind === 's3' ? await askBucketSecrets(host) : [];
  const restic = await Restic.at({ host, site }, target, 'person');
  try {
    for (let attempt = 1; ; attempt += 1) {
      const isOpen = await tryPassword(restic, attempt);
      if (isOpen) return restic;
      say('That is not the password of these backups.', '与这些备份的密码不符。');
    }
  } catch (error) {
    const isDenied = error instanceof LandfallError && error.code === 'BACKUP_ACCESS';
    // The next call asks again.
    if (isDenied) for (const name of asked) await removeFile(host, `${secretsFolder}/${name}`);
    throw error;
  }
}

const maxAttempts = 3;

/** Asks for the secrets of a bucket that are not set. Returns their names. */
async function askBucketSecrets(host: Host): Promise<string[]> {
  const asked: string[] = [];
  for (const name of Object.values(bucketSecrets)) {
    if ((await readSecret(host, name)) !== undefined) continue;
    const hidden = { en: `Value of ${name} (hidden): `, zh: `${name} 的值（不显示）：` };
    await setSecret(host, name, await readHidden(inLanguage(hidden)));
    asked.push(name);
  }
  return asked;
}

/** @returns whether the password opens the repository @throws LandfallError BACKUP_PASSWORD the last time */
async function tryPassword(restic: Restic, attempt: number): Promise<boolean> {
  const { host } = restic;
  const file = keyFile('person');
  const first = { en: 'Password of the backups (hidden): ', zh: '备份密码（不显示）：' };
  const again = { en: 'Password again (hidden): ', zh: '请再次输入密码（不显示）：' };
  const typed = await readHidden(inLanguage(attempt === 1 ? first : again));
  await writeText(host, file, `${inGroups(typed)}\n`, { mode: 0o600 });
  try {
    await restic.open();
    return true;
  } catch (error) {
    await removeFile(host, file);
    if (!(error instanceof LandfallError) || error.code !== 'BACKUP_PASSWORD') throw error;
    if (attempt < maxAttempts) return false;
    throw new LandfallError('BACKUP_PASSWORD', 'the password is wrong', {
      hint: {
        en: 'It has six groups of five letters and digits. Run `sudo landfall restore` again.',
        zh: '它是六组字母和数字，每组五个。请再次运行 `sudo landfall restore`。',
      },
    });
  }
}

/** Accepts the six groups of a password in any notation. Another password stays as it is. */
function inGroups(typed: string): string {
  const plain = typed.toLowerCase().replace(/[\s-]/g, '');
  return plain.length === 30 ? (plain.match(/.{5}/g) ?? []).join('-') : typed;
}

/** Fetches the backup, puts it in place, and lets the first boot go on. */
async function bring(
  facts: Facts,
  target: BackupTarget,
  backup: ChosenBackup,
  volume: string,
): Promise<void> {
  const { host } = facts;
  say('Fetching the backup.', '正在取回备份。');
  const id = randomUUID();
  const fetched = await fetchBackup(facts, backup, volume, id);
  for (const line of describeLeftOut(fetched.leftOut)) console.log(line);
  try {
    // They have opened the repository just now; those of the backup may be older.
    const kept = [keyFile('person'), keyFile('next'), ...loginFiles(target)];
    await placeOnNewServer(host, fetched, volume, id, kept);
  } finally {
    await fetched.remove();
  }
  await recordTarget(facts, target, backup);
  // They ran before their settings were there.
  const context = { ...facts, report: consoleReporter };
  for (const stage of [firewallStage, banStage]) await runAlone(stage, context, new Journal(host));
  const { snapshot, manifest } = backup;
  const restored = { at: new Date().toISOString(), snapshot: snapshot.id, manifest };
  await host.run('sync', [], { seconds: 3600 });
  await writeText(host, restoredFile, `${JSON.stringify(restored, null, 2)}\n`);
  await sayWhatIsLeft(facts, backup);
}

/** Returns the files with which this server logs in to a target. ssh reads the public key, too. */
function loginFiles({ kind }: BackupTarget): string[] {
  if (kind === 's3') return Object.values(bucketSecrets).map((name) => `${secretsFolder}/${name}`);
  return kind === 'sftp' ? [keyFile('ssh'), `${keyFile('ssh')}.pub`, keyFile('knownHosts')] : [];
}

/** This server goes on with the backups of the earlier one. */
async function recordTarget(
  { host, site }: Facts,
  target: BackupTarget,
  { snapshot }: ChosenBackup,
): Promise<void> {
  const { server: tag, hostname } = snapshot;
  const state = await storedBackups.read(host);
  const name = targetText(target);
  const isTarget = site.backup?.to.some((each) => targetText(each) === name) ?? false;
  await storedBackups.write(host, {
    ...state,
    isConfirmed: true,
    targets: isTarget ? { ...state.targets, [name]: newTarget() } : state.targets,
    earlier: tag === null ? null : { tag, hostname, stopped: null },
  });
  if (isTarget) await install(host, backupTimers(site), consoleReporter);
}

/** Says what the administrator does about the earlier server. */
async function sayWhatIsLeft({ host, site }: Facts, { snapshot }: ChosenBackup): Promise<void> {
  const { hostname } = snapshot;
  say(
    `The earlier server ${hostname} must not make backups any more. If it still runs, on it: sudo systemctl disable --now landfall-backup.timer`,
    `原服务器 ${hostname} 不应再备份。如果它还在运行，请在上面执行：sudo systemctl disable --now landfall-backup.timer`,
  );
  const names = hostNames(site);
  if (names.length > 0) {
    say(
      `These names must lead to this server: ${names.join(', ')}`,
      `请把这些域名指向这台服务器：${names.join(', ')}`,
    );
  }
  if ((await readText(host, earlierSiteFile)) !== undefined) {
    say(
      `The site of the earlier server is in /${earlierSiteFile}.`,
      `原服务器的站点设置在 /${earlierSiteFile}。`,
    );
  }
  if (site.backup) {
    say(
      'The first backup of this server waits until the earlier one made none for 26 hours, or for: sudo landfall backup run --take-over',
      '原服务器 26 小时没有备份后，这台服务器才开始备份；立即接管：sudo landfall backup run --take-over',
    );
  }
}

function notWaiting(target: BackupTarget | undefined): LandfallError {
  return target
    ? new LandfallError('STATE_INVALID', 'the first boot does not wait for a backup yet', {
        hint: {
          en: 'Follow it with `landfall status --watch`.',
          zh: '用 `landfall status --watch` 查看进度。',
        },
        retriable: true,
      })
    : new LandfallError('STATE_INVALID', 'the first boot of this server has not completed', {
        hint: {
          en: 'Run `landfall status`. For a new server that takes over a backup, set `restore` in the site: moving.md of the documentation.',
          zh: '运行 `landfall status`。要让新服务器接管备份，请在站点中设置 `restore`：见 Landfall 文档 moving.md。',
        },
      });
}

function noTerminal(): LandfallError {
  return new LandfallError('USAGE', 'this command asks for passwords', {
    hint: { en: 'Run it on a terminal.', zh: '在终端中运行。' },
  });
}
