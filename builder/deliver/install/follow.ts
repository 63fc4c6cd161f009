import { LandfallError } from '#contract/errors.ts';
import {
  bootstrapStatusFile,
  commandFile,
  installedMark,
  statusFile,
} from '#contract/server-paths.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { lostCode } from '../ssh/connection.ts';
import type { RootShell } from '../ssh/root.ts';

/** Exit code of the script when the unit has given up. */
const gaveUp = 78;

/** Exit codes of `landfall status` after a first boot that has ended well. */
const stackUp = 0;
const componentDown = 69;

/** Exit code of `landfall status --watch` for a server that waits for its administrator. */
export const waits = 75;

/** Prints each step of the bootstrap until the stages start. */
const bootstrapSteps = `
last=
until { [ -e /${statusFile} ] || [ -e /${installedMark} ]; } && [ -e /${commandFile} ]; do
  line=$(head -n 1 /${bootstrapStatusFile} 2>/dev/null)
  [ "$line" = "$last" ] || printf '%s\\n' "$line"
  last=$line
  [ "$(systemctl show -P ActiveState landfall-boot.service)" != failed ] || exit ${gaveUp}
  sleep 1
done`;

/**
 * Follows the bootstrap, then the stages with the rows of `landfall status --watch`, until the first
 * boot ends.
 * @returns the exit code of `landfall status --watch`; undefined if the connection is lost
 * @throws LandfallError STAGE_FAILED if the bootstrap gives up
 */
export async function followFirstBoot(
  root: RootShell,
  note: (text: string) => void,
  show: 'terminal' | 'lines' | 'nothing',
): Promise<number | undefined> {
  let last = '';
  const code = await root.connection.follow(root.wrap(bootstrapSteps), (text) => {
    for (const line of text.split('\n')) {
      const plain = plainLine(line, 300);
      if (plain === '') continue;
      last = plain;
      // The progress of the tunnel is shown at this end.
      if (!plain.includes('http://127.0.0.1:')) note(plain);
    }
  });
  if (code === lostCode) return undefined;
  if (code === gaveUp) {
    throw new LandfallError('STAGE_FAILED', `the bootstrap gave up: ${last}`, {
      hint: {
        en: 'Run on the server: journalctl -u landfall-boot',
        zh: '在服务器上运行：journalctl -u landfall-boot',
      },
      retriable: false,
    });
  }
  const watch = root.wrap('landfall status --watch');
  const ended =
    show === 'nothing'
      ? await root.connection.follow(watch, () => {})
      : await root.connection.show(watch, show === 'terminal');
  if (ended === lostCode) return undefined;
  if (ended === stackUp || ended === componentDown || ended === waits) return ended;
  throw new LandfallError('STAGE_FAILED', 'the first boot has failed', {
    hint: {
      en: 'The server tries again if that can help. To follow it, run the same command again; its log on the server: journalctl -u landfall-boot',
      zh: '可以重试时服务器会自动重试。要继续查看，请再次运行同一条命令；服务器上的日志：journalctl -u landfall-boot',
    },
  });
}
