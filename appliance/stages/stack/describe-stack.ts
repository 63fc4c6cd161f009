import { logCommand } from '#contract/log-command.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import type { Row } from '../../server/progress/terminal/table.ts';
import { isUp, type ServiceState, type StackState } from './stack-state.ts';

/** `up`: all components are up. `starting`: some are starting. `down`: at least one is down. */
type Health = 'up' | 'starting' | 'down';

/** Returns the worst health of the components. The stack counts as down when Docker does not respond. */
export function healthOf(now: StackState): Health {
  if (!('parts' in now) || now.parts.length === 0) return 'down';
  const late = latePartsOf(now.parts);
  if (late.length === 0) return 'up';
  return late.every(isStarting) ? 'starting' : 'down';
}

/** Returns the components that should be up and are not. */
export function latePartsOf(parts: readonly ServiceState[]): ServiceState[] {
  return parts.filter((part) => part.stoppedSince === undefined && !isUp(part));
}

/** Formats the current state of the stack: which components are up or not, with hints. */
export function describeStack(now: StackState): Row[] {
  if (!('parts' in now)) {
    return [
      row(
        `now: Docker is not responding: ${now.engine}`,
        `当前：Docker 没有响应：${now.engine}`,
        'red',
      ),
      row('see: sudo systemctl status docker', '查看：sudo systemctl status docker'),
    ];
  }
  if (now.parts.length === 0) {
    return [
      row('now: the stack has no containers', '当前：没有任何容器', 'red'),
      row('start it: sudo landfall first-boot', '启动：sudo landfall first-boot'),
    ];
  }
  const late = latePartsOf(now.parts);
  const up = now.parts.filter(isUp);
  const names = up.map(({ name }) => name).join(', ');
  const stopped = now.parts.flatMap(stoppedRow);
  if (late.length === 0 && up.length === 0) return stopped;
  if (late.length === 0) {
    const all = stopped.length === 0;
    const en = all ? 'all components are up' : 'all other components are up';
    const zh = all ? '所有组件正常' : '其他组件正常';
    return [row(`now: ${en}: ${names}`, `当前：${zh}：${names}`, 'green'), ...stopped];
  }
  return [
    row(
      `now: ${late.length} of ${now.parts.length} components not up`,
      `当前：${now.parts.length} 个组件中有 ${late.length} 个不正常`,
      'bold',
    ),
    ...late.map(lateRow),
    ...(late.some(isStoppedTask) ? [{ text: `  ${inLanguage(ranBySwarm)}` }] : []),
    ...stopped,
    ...(up.length > 0 ? [{ text: `  up: ${names}` }] : []),
    row(
      'test the server: sudo landfall smoke; start stopped components: sudo landfall start',
      '测试服务器：sudo landfall smoke；启动已停止的组件：sudo landfall start',
    ),
  ];
}

function row(en: string, zh: string, colour?: Row['colour']): Row {
  return { text: inLanguage({ en, zh }), ...(colour ? { colour } : {}) };
}

/** Describes a component that an administrator stopped. */
function stoppedRow({ name, stoppedSince }: ServiceState): Row[] {
  if (stoppedSince === undefined) return [];
  const time = formatTime(new Date(stoppedSince));
  const command = `sudo landfall start ${name}`;
  return [
    row(
      `  ${name} was stopped by an administrator, since ${time}; ${command}`,
      `  ${name} 已由管理员停止，自 ${time} 起；${command}`,
      'yellow',
    ),
  ];
}

function lateRow(part: ServiceState): Row {
  const { name, state, health } = part;
  if (isStarting(part)) return { text: `  ${name} is starting`, colour: 'yellow' };
  if (state === 'missing') return { text: `  ${name} is missing`, colour: 'red' };
  const doing = [state, health].filter(Boolean).join(', ');
  return { text: `  ${name} is ${doing}; see: ${logCommand(name)}`, colour: 'red' };
}

/** Returns whether a node of a Swarm runs no Ollama, as a drained one. */
export function isStoppedTask({ isTask, state }: ServiceState): boolean {
  return isTask === true && state !== 'running';
}

/** What to do about such a task. */
export const ranBySwarm: Text = {
  en: 'a drained node runs no Ollama; on the first server: sudo landfall node list',
  zh: '已排空的节点不运行 Ollama；在第一台服务器上运行：sudo landfall node list',
};

function isStarting({ state, health }: ServiceState): boolean {
  return state === 'created' || (state === 'running' && health === 'starting');
}
