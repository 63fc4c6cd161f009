import type { Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { Host } from '../host/host.ts';
import { runCommand } from '../host/run/command.ts';
import { findLogin, type SshLogin } from '../host/sshd/ssh-login.ts';
import { confirm, momentOfChange, unconfirmed } from '../host/undo/undo.ts';
import { rootCommand } from './root-command.ts';

const example = `
Example:
  sudo landfall confirm
`;

/** `landfall confirm`: keeps a change that would undo itself. */
export function confirmCommand(): Command {
  return rootCommand('confirm')
    .description('keep a change that would undo itself; run it in a new login')
    .addHelpText('after', example)
    .action(async () => {
      const names = await confirmChanges(new Host('/', runCommand), process.pid);
      console.log(
        names.length === 0
          ? 'Nothing waits for a confirmation.'
          : `Confirmed, and here to stay: ${names.join(', ')}.`,
      );
    });
}

/**
 * Confirms every change that waits for it, from a login that could be made after the change: the
 * proof that the owner still gets in.
 * @param pid the process that asks
 * @returns the names of the changes
 * @throws LandfallError UNCONFIRMED where the login proves nothing, or the undo was faster
 */
export async function confirmChanges(host: Host, pid: number): Promise<string[]> {
  const names = await unconfirmed(host);
  if (names.length === 0) return [];
  const login = await findLogin(host, pid);
  for (const name of names) {
    // A change whose moment is unknown was made before a reboot, which undoes it.
    const moment = (await momentOfChange(host, name)) ?? Number.POSITIVE_INFINITY;
    const flaw = flawOf(login, moment);
    if (flaw === undefined) continue;
    throw new LandfallError('UNCONFIRMED', `${flaw}, so it does not show that you still get in`, {
      hint: 'Leave this login open, make a second one from where you are, and run there: sudo landfall confirm. Without it the change undoes itself.',
      problems: [{ message: `waiting for a confirmation: ${name}` }],
    });
  }
  for (const name of names) await confirm(host, name);
  return names;
}

function flawOf(login: SshLogin | undefined, moment: number): string | undefined {
  if (!login) return 'this is no login over SSH, or one inside of screen or tmux';
  if (login.local) return 'this login comes from the server itself';
  return login.start > moment ? undefined : 'this login was there before the change';
}
