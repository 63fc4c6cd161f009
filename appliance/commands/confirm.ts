import { LandfallError } from '#contract/errors.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { Host } from '../server/host/host.ts';
import { runCommand } from '../server/host/run/command.ts';
import { findLogin, type SshLogin } from '../server/host/sshd/ssh-login.ts';
import { confirm, momentOfChange, unconfirmed } from '../server/host/undo/undo.ts';
import { capture } from '../stages/route/capture/names.ts';
import { confirmCapture } from '../stages/route/capture/state.ts';
import { exampleText, rootCommand } from './command.ts';

/** `landfall confirm`: confirms a change that is otherwise undone. */
export function confirmCommand() {
  return rootCommand('confirm')
    .description('confirm a pending change; run it in a new login')
    .addHelpText('after', exampleText('sudo landfall confirm'))
    .action(async () => {
      const names = await confirmChanges(new Host('/', runCommand), process.pid);
      const list = names.join(', ');
      const text =
        names.length === 0
          ? { en: 'No change is waiting for confirmation.', zh: '没有等待确认的更改。' }
          : { en: `Confirmed: ${list}.`, zh: `已确认：${list}。` };
      console.log(inLanguage(text));
    });
}

/**
 * Confirms all pending changes from an SSH login that started after them. Such a login proves that
 * the administrator still has access.
 * @param pid the calling process
 * @returns the names of the changes
 * @throws LandfallError UNCONFIRMED if the login is no proof, or if the undo has already started
 */
export async function confirmChanges(host: Host, pid: number): Promise<string[]> {
  const names = await unconfirmed(host);
  if (names.length === 0) return [];
  const login = await findLogin(host, pid);
  for (const name of names) {
    // The time is unknown after a reboot, which undoes the change.
    const moment = (await momentOfChange(host, name)) ?? Number.POSITIVE_INFINITY;
    const flaw = flawOf(login, moment);
    if (flaw === undefined) continue;
    throw new LandfallError(
      'UNCONFIRMED',
      inLanguage({
        en: `${flaw.en}, so it does not prove that you can still log in`,
        zh: `${flaw.zh}，不能证明您还能登录`,
      }),
      {
        hint: {
          en: 'Keep this login open, log in again over SSH from your computer, and run `sudo landfall confirm` there before the change is undone.',
          zh: '不要关闭这个登录；在更改撤销之前，从您的电脑重新通过 SSH 登录，并在那里运行 `sudo landfall confirm`。',
        },
        problems: [
          {
            message: inLanguage({
              en: `waiting for confirmation: ${name}`,
              zh: `等待确认：${name}`,
            }),
          },
        ],
      },
    );
  }
  for (const name of names) await confirm(host, name);
  if (names.includes(capture.undo)) await confirmCapture(host);
  return names;
}

function flawOf(login: SshLogin | undefined, moment: number): Text | undefined {
  if (!login) return flaws.none;
  if (login.local) return flaws.local;
  return login.start > moment ? undefined : flaws.earlier;
}

const flaws = {
  none: {
    en: 'this is not an SSH login, or it runs inside screen or tmux',
    zh: '这不是 SSH 登录，或者在 screen、tmux 中运行',
  },
  local: { en: 'this login comes from the server itself', zh: '这个登录来自服务器本身' },
  earlier: { en: 'this login started before the change', zh: '这个登录早于更改' },
};
