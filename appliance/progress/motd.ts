import { motdFile, motdScript } from '#contract/server-paths.ts';
import { isFile, removeFile, writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { currentStage, type Status } from './status.ts';

/**
 * What people read who log in while the first boot is not over. Once it is, the greeting of the
 * report takes its place. pam_motd(8) of Debian and Ubuntu runs the scripts in
 * `/etc/update-motd.d` at each login.
 */
export async function writeMotd(host: Host, status: Status): Promise<void> {
  if (status.state === 'done') return await removeFile(host, motdFile.unfinished);
  if (!(await isFile(host, motdScript, script, { mode: 0o755 }))) {
    await writeText(host, motdScript, script, { mode: 0o755 });
  }
  const text = renderMotd(status);
  if (!(await isFile(host, motdFile.unfinished, text))) {
    await writeText(host, motdFile.unfinished, text);
  }
}

/** Shows the first of the two files that is there. Its name has no dot: run-parts(8) wants that. */
const script = `#!/bin/sh
# Made by Landfall: what to know when logging in.
cat /${motdFile.unfinished} 2>/dev/null || cat /${motdFile.finished} 2>/dev/null || true
`;

/** The greeting while the first boot runs or has failed. */
export function renderMotd(status: Status): string {
  const { stage, place } = currentStage(status) ?? {};
  const where = stage
    ? `stage ${place} of ${status.stages.length}, ${stage.name}`
    : 'its beginning';
  const lines =
    status.state === 'failed'
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
  return `\n${lines.map((line) => `  ${line}\n`).join('')}\n`;
}
