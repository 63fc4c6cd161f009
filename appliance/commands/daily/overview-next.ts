import {
  findModel,
  type NextCommand,
  setKey,
  setUpBackups,
} from '../../stages/report/next-steps.ts';
import { healthOf } from '../../stages/stack/describe-stack.ts';
import type { Overview } from './overview.ts';

const shown = 3;

/** Returns the three most useful commands, the most urgent first. */
export function nextCommands(overview: Overview): NextCommand[] {
  return [...urgent(overview), ...everyDay].slice(0, shown);
}

const everyDay: readonly NextCommand[] = [
  {
    command: 'landfall report',
    does: { en: 'addresses, fingerprints and open steps', zh: '地址、指纹和待办步骤' },
  },
  {
    command: 'sudo landfall logs',
    does: { en: 'logs of all components', zh: '所有组件的日志' },
  },
  { command: 'landfall help', does: { en: 'list all commands', zh: '列出所有命令' } },
];

function urgent({
  stack,
  update,
  givenUp,
  updating,
  backup,
  missingKeys,
  isWaiting,
  lacksModel,
}: Overview): NextCommand[] {
  const isDown = stack !== undefined && healthOf(stack) === 'down';
  const stopped = stack && 'parts' in stack ? stack.parts.filter((part) => part.stoppedSince) : [];
  const needsSetUp = backup?.targets.some(({ isSetUp }) => !isSetUp) ?? false;
  const hasFailed = backup?.targets.some(({ failure }) => failure !== undefined) ?? false;
  const when = (applies: boolean, command: string, en: string, zh: string): NextCommand[] =>
    applies ? [{ command, does: { en, zh } }] : [];
  return [
    ...when(
      isWaiting,
      'sudo landfall confirm',
      'keep the change; run it in a new login',
      '保留更改；请在新登录的会话中运行',
    ),
    ...(lacksModel && !isDown ? [findModel] : []),
    ...when(
      isDown,
      'sudo landfall doctor',
      'find the fault, with its remedy',
      '查找故障及其处理方法',
    ),
    ...when(
      updating !== undefined,
      'sudo landfall update status',
      'the progress of the update',
      '更新的进度',
    ),
    ...stopped
      .slice(0, 1)
      .flatMap(({ name }) =>
        when(true, `sudo landfall start ${name}`, 'start what was stopped', '启动已停止的组件'),
      ),
    ...when(
      update?.offer?.kind === 'update' && !givenUp && updating === undefined,
      'sudo landfall update',
      'install the new release',
      '安装新版本',
    ),
    ...missingKeys.slice(0, 1).map(setKey),
    ...(needsSetUp ? [setUpBackups] : []),
    ...when(
      hasFailed,
      'sudo landfall backup status',
      'why the last backup failed',
      '上次备份失败的原因',
    ),
  ];
}
