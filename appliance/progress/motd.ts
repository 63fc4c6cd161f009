import { motdFile, motdScript } from '#contract/server-paths.ts';
import type { Host } from '../host/host.ts';
import { install } from '../host/service.ts';
import { installedRelease } from '../stage/installed.ts';
import { runAgain } from '../stage/retry-advice.ts';
import { currentStage, type Status } from './status.ts';

/**
 * Writes the login message of an unfinished first boot. It is on disk, so that a failure is still
 * shown after a reboot. The greeting of the report replaces it after success. pam_motd(8) on Debian
 * and Ubuntu runs the scripts in `/etc/update-motd.d` at each login.
 */
export async function writeMotd(host: Host, status: Status): Promise<void> {
  const isInstalled = (await installedRelease(host)) !== undefined;
  const text = status.state === 'done' ? undefined : renderMotd(status, isInstalled);
  await install(host, {
    files: [
      { path: motdScript, text: script, mode: 0o755 },
      { path: motdFile.unfinished, text },
    ],
  });
}

/** Prints the first existing file. The script's name has no dot, as run-parts(8) requires. */
const script = `#!/bin/sh
# Written by Landfall: the login message.
cat /${motdFile.unfinished} 2>/dev/null || cat /${motdFile.finished} 2>/dev/null || true
`;

/**
 * Renders the login message while a first boot runs or has failed.
 * @param installed whether an earlier first boot has completed; then this one was started manually
 *   and may have been interrupted
 */
export function renderMotd(status: Status, installed: boolean): string {
  const { stage, position } = currentStage(status) ?? {};
  const where = stage
    ? `stage ${position} of ${status.stages.length}, ${stage.name}`
    : 'the beginning';
  const lines = installed ? manual(status, where) : automatic(status, where);
  return `\n${lines.map((line) => `  ${line}\n`).join('')}\n`;
}

function automatic({ state, waitsFor }: Status, where: string): string[] {
  if (waitsFor !== undefined) {
    return [
      `Landfall: the first boot of this server waits for its ${waitsFor}.`,
      'To import them:   sudo landfall route import <file>',
      'To follow it:     landfall status --watch',
    ];
  }
  return state === 'failed'
    ? [
        `Landfall: the first boot failed at ${where}.`,
        'It is retried automatically.',
        'Error and hint:   landfall status',
        'Full log:         sudo journalctl -u landfall-boot',
      ]
    : [
        'Landfall: the first boot of this server is in progress.',
        `It is at ${where}.`,
        'To follow it:   landfall status --watch',
      ];
}

function manual({ state }: Status, where: string): string[] {
  return state === 'failed'
    ? [
        `Landfall: a manual first boot failed at ${where}.`,
        'Error and status:     landfall status',
        `After the fix, run:   ${runAgain}`,
      ]
    : [
        `Landfall: a manual first boot has reached ${where}.`,
        'Status:                  landfall status',
        `If interrupted, run:     ${runAgain}`,
      ];
}
