import { motdFile, motdScript } from '#contract/server-paths.ts';
import { isFile, removeFile, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { installedRelease } from '../stage/installed.ts';
import { runAgain } from '../stage/retry-advice.ts';
import { currentStage, type Status } from './status.ts';

/**
 * What people read who log in while a first boot is not over. It lies on disk, so that a run which
 * failed is not forgotten at the next reboot. Once one has ended well, the greeting of the report
 * takes its place. pam_motd(8) of Debian and Ubuntu runs the scripts in `/etc/update-motd.d` at
 * each login.
 */
export async function writeMotd(host: Host, status: Status): Promise<void> {
  if (!(await isFile(host, motdScript, script, { mode: 0o755 }))) {
    await writeText(host, motdScript, script, { mode: 0o755 });
  }
  if (status.state === 'done') return await removeFile(host, motdFile.unfinished);
  const text = renderMotd(status, (await installedRelease(host)) !== undefined);
  if (!(await isFile(host, motdFile.unfinished, text))) {
    await writeText(host, motdFile.unfinished, text);
  }
}

/** Shows the first of the two files that is there. Its name has no dot: run-parts(8) wants that. */
const script = `#!/bin/sh
# Made by Landfall: what to know when logging in.
cat /${motdFile.unfinished} 2>/dev/null || cat /${motdFile.finished} 2>/dev/null || true
`;

/**
 * The greeting while a first boot runs or has failed.
 * @param installed whether an earlier one came to its end, so that this one was started by hand and
 *   may have been left at any time without a word
 */
export function renderMotd(status: Status, installed: boolean): string {
  const { stage, place } = currentStage(status) ?? {};
  const where = stage
    ? `stage ${place} of ${status.stages.length}, ${stage.name}`
    : 'its beginning';
  const lines = installed ? byHand(status, where) : byItself(status, where);
  return `\n${lines.map((line) => `  ${line}\n`).join('')}\n`;
}

function byItself({ state }: Status, where: string): string[] {
  return state === 'failed'
    ? [
        `Landfall: the first boot stopped at ${where}.`,
        'It is tried again by itself.',
        'Why, and what to do:   landfall status',
        'The whole log:         sudo journalctl -u landfall-boot',
      ]
    : [
        'Landfall: the first boot of this server is not over.',
        `It is at ${where}.`,
        'Watch it:   landfall status --watch',
      ];
}

function byHand({ state }: Status, where: string): string[] {
  return state === 'failed'
    ? [
        `Landfall: a first boot run by hand failed at ${where}.`,
        'What it was, and what is up:   landfall status',
        `Once that is mended:           ${runAgain}`,
      ]
    : [
        `Landfall: a first boot run by hand has come to ${where}.`,
        'Whether it goes on:   landfall status',
        `If not, go on with:   ${runAgain}`,
      ];
}
