import type { Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { Host } from '../server/host/host.ts';
import { runCommand } from '../server/host/run/command.ts';
import { findLogin, type SshLogin } from '../server/host/sshd/ssh-login.ts';
import { confirm, momentOfChange, unconfirmed } from '../server/host/undo/undo.ts';
import { capture } from '../stages/route/capture/names.ts';
import { confirmCapture } from '../stages/route/capture/state.ts';
import { exampleText, rootCommand } from './command.ts';

/** `landfall confirm`: confirms a change that is otherwise undone. */
export function confirmCommand(): Command {
  return rootCommand('confirm')
    .description('confirm a pending change; run it in a new login')
    .addHelpText('after', exampleText('sudo landfall confirm'))
    .action(async () => {
      const names = await confirmChanges(new Host('/', runCommand), process.pid);
      console.log(
        names.length === 0
          ? 'No change is waiting for confirmation.'
          : `Confirmed: ${names.join(', ')}.`,
      );
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
      `${flaw}, so it does not prove that you can still log in`,
      {
        hint: 'Keep this login open, log in again over SSH from your computer, and run `sudo landfall confirm` there before the change is undone.',
        problems: [{ message: `waiting for confirmation: ${name}` }],
      },
    );
  }
  for (const name of names) await confirm(host, name);
  if (names.includes(capture.undo)) await confirmCapture(host);
  return names;
}

function flawOf(login: SshLogin | undefined, moment: number): string | undefined {
  if (!login) return 'this is not an SSH login, or it runs inside screen or tmux';
  if (login.local) return 'this login comes from the server itself';
  return login.start > moment ? undefined : 'this login started before the change';
}
