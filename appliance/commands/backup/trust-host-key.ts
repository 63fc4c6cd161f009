import type { BackupTarget } from '#contract/site/backup/targets.ts';
import { inLanguage } from '#contract/text/language.ts';
import {
  isPinned,
  pinHostKey,
  scanHostKey,
  sshPublicKey,
} from '../../operations/backup/prepare-target.ts';
import type { Facts } from '../../server/load-facts.ts';
import { askFor } from '../ask-yes.ts';

const say = (en: string, zh: string) => console.log(inLanguage({ en, zh }));

/**
 * Shows the host key of an SFTP target and the key of this server, and asks about both, unless the host key is
 * pinned already. Returns whether the administrator agrees.
 * @throws LandfallError BACKUP_FAILED, USAGE without a terminal
 */
export async function trustHostKey(
  { host, site }: Pick<Facts, 'host' | 'site'>,
  target: Extract<BackupTarget, { kind: 'sftp' }>,
): Promise<boolean> {
  const key = await scanHostKey(host, site, target);
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
  if (!(await askFor('y', inLanguage(question), '--yes'))) return false;
  await pinHostKey(host, key);
  return true;
}
