import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { lastGroup } from '../../operations/backup/password.ts';
import { askLine } from '../ask-yes.ts';

const say = (en: string, zh: string) => console.log(inLanguage({ en, zh }));

/** @throws LandfallError USAGE without a terminal */
export function expectTerminal(): void {
  if (process.stdin.isTTY) return;
  throw new LandfallError(
    'USAGE',
    inLanguage({
      en: 'this command shows a password and asks for its end',
      zh: '这条命令会显示密码，并要求输入它的结尾',
    }),
    {
      hint: { en: 'Run it on a terminal.', zh: '在终端中运行。' },
    },
  );
}

/** Prints a password of the backups in groups, and on a terminal as a QR code. */
export async function printPassword(password: string): Promise<void> {
  const { renderUnicodeCompact } = await import('uqr');
  say('The password of the backups:', '备份密码：');
  console.log(`\n  ${password}\n`);
  if (process.stdout.isTTY) console.log(`${renderUnicodeCompact(password, { border: 2 })}\n`);
}

/**
 * Prints a password, and asks for its last group.
 * @param command shows the same password again
 * @throws LandfallError BACKUP_PASSWORD after three wrong answers
 */
export async function askLastGroup(password: string, command: string): Promise<void> {
  await printPassword(password);
  say(
    'Write it down away from this server. If this server is lost, the backups cannot be read without it.',
    '请把它记在这台服务器以外的地方：服务器丢失后，没有它谁也无法读取备份。',
  );
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const typed = await askLine(
      inLanguage({ en: 'Type the last group: ', zh: '请输入最后一组：' }),
    );
    if (typed.trim().toLowerCase() === lastGroup(password)) return;
    say('That is not the last group.', '与最后一组不符。');
  }
  throw new LandfallError(
    'BACKUP_PASSWORD',
    inLanguage({ en: 'the password is not confirmed', zh: '密码没有确认' }),
    {
      hint: {
        en: `Run \`${command}\` again: it shows the same password.`,
        zh: `再次运行 \`${command}\`：它显示同一个密码。`,
      },
    },
  );
}
