import { motdFile, motdScript } from '#contract/server-paths.ts';
import { inLanguage, type Language, type Text } from '#contract/text/language.ts';
import type { Host } from '../host/host.ts';
import { install } from '../host/service.ts';
import { undoneFolder, waitingFolder } from '../host/undo/notice.ts';
import { installedRelease } from '../stage/installed.ts';
import { runAgain } from '../stage/stage-error.ts';
import { currentStage, type Status } from './status.ts';

/**
 * Writes the login message of an unfinished first boot. It is on disk, so that a failure is still
 * shown after a reboot. The greeting of the report replaces it after success. pam_motd(8) on Debian
 * and Ubuntu runs the scripts in `/etc/update-motd.d` at each login.
 */
export async function writeMotd(host: Host, status: Status, language: Language): Promise<void> {
  const isInstalled = (await installedRelease(host)) !== undefined;
  const text = status.state === 'done' ? undefined : renderMotd(status, isInstalled, language);
  await install(host, {
    files: [
      { path: motdScript, text: script, mode: 0o755 },
      { path: motdFile.unfinished, text },
    ],
  });
}

/**
 * Prints the changes that wait for a confirmation, those that were undone within a day, and the first existing
 * file. The script's name has no dot, as run-parts(8) requires.
 */
const script = `#!/bin/sh
# Written by Landfall: the login message.
find /${waitingFolder} -type f -exec sed 's/^/\\n  /' {} + 2>/dev/null
find /${undoneFolder} -type f -mmin -1440 -exec sed 's/^/\\n  /' {} + 2>/dev/null
cat /${motdFile.unfinished} 2>/dev/null || cat /${motdFile.finished} 2>/dev/null || true
`;

/**
 * Renders the login message while a first boot runs or has failed.
 * @param installed whether an earlier first boot has completed; then this one was started manually
 *   and may have been interrupted
 */
export function renderMotd(status: Status, installed: boolean, language: Language = 'en'): string {
  const { stage, position } = currentStage(status) ?? {};
  const where = stage
    ? {
        en: `stage ${position} of ${status.stages.length}, ${stage.name}`,
        zh: `第 ${position} 个阶段（共 ${status.stages.length} 个）：${stage.name}`,
      }
    : { en: 'the beginning', zh: '开始处' };
  const lines = linesOf(status, where, installed);
  return `\n${lines.map((line) => `  ${inLanguage(line, language)}\n`).join('')}\n`;
}

const follow = 'landfall status --watch';

function linesOf({ state, waitsFor }: Status, where: Text, installed: boolean): Text[] {
  if (waitsFor !== undefined) {
    return waitsFor === 'proxies'
      ? [
          {
            en: 'Landfall: the first boot of this server waits for its proxies.',
            zh: 'Landfall：这台服务器的首次启动正在等待导入代理节点。',
          },
          command('To import them:', '导入代理节点：', 'sudo landfall route import <file>'),
          command('To follow it:  ', '查看进度：    ', follow),
        ]
      : [
          {
            en: 'Landfall: the first boot of this server waits for its backup.',
            zh: 'Landfall：这台服务器的首次启动正在等待恢复备份。',
          },
          command('To restore it:', '恢复备份：', 'sudo landfall restore'),
          command('To follow it: ', '查看进度：', follow),
        ];
  }
  if (state === 'failed') {
    return [
      {
        en: `Landfall: the first boot failed at ${where.en}.`,
        zh: `Landfall：首次启动失败，位于${where.zh}。`,
      },
      command('Error and hint:    ', '错误和提示：', 'landfall status'),
      installed
        ? command('After the fix, run:', '解决后运行：', runAgain)
        : { en: 'It is retried automatically.', zh: '会自动重试。' },
    ];
  }
  return [
    {
      en: `Landfall: the first boot has reached ${where.en}.`,
      zh: `Landfall：首次启动已到${where.zh}。`,
    },
    command('Status:             ', '状态：          ', 'landfall status --watch'),
    ...(installed ? [command('If interrupted, run:', '若已中断，运行：', runAgain)] : []),
  ];
}

/** Returns a line with a command. The labels of a message have one width in each language. */
function command(en: string, zh: string, line: string): Text {
  return { en: `${en}   ${line}`, zh: `${zh} ${line}` };
}
