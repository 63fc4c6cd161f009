import { logCommand } from '#contract/log-command.ts';
import { inLanguage } from '#contract/text/language.ts';
import type { Row } from '../progress/terminal/table.ts';
import { isUp, type ServiceState, type StackState } from './stack-state.ts';

/** `up`: all components are up. `starting`: some are starting. `down`: at least one is down. */
type Health = 'up' | 'starting' | 'down';

/** Returns the worst health of the components. The stack counts as down when Docker does not respond. */
export function healthOf(now: StackState): Health {
  if (!('parts' in now) || now.parts.length === 0) return 'down';
  const late = now.parts.filter((part) => !isUp(part));
  if (late.length === 0) return 'up';
  return late.every(isStarting) ? 'starting' : 'down';
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
  const late = now.parts.filter((part) => !isUp(part));
  const up = now.parts.filter(isUp);
  const names = up.map(({ name }) => name).join(', ');
  if (late.length === 0)
    return [row(`now: all components are up: ${names}`, `当前：所有组件正常：${names}`, 'green')];
  return [
    row(
      `now: ${late.length} of ${now.parts.length} components not up`,
      `当前：${now.parts.length} 个组件中有 ${late.length} 个不正常`,
      'bold',
    ),
    ...late.map(lateRow),
    ...(up.length > 0 ? [{ text: `  up: ${names}` }] : []),
    row(
      'test the server: sudo landfall smoke; start stopped components: sudo landfall first-boot',
      '测试服务器：sudo landfall smoke；启动已停止的组件：sudo landfall first-boot',
    ),
  ];
}

function row(en: string, zh: string, colour?: Row['colour']): Row {
  return { text: inLanguage({ en, zh }), ...(colour ? { colour } : {}) };
}

function lateRow(part: ServiceState): Row {
  const { name, state, health } = part;
  if (isStarting(part)) return { text: `  ${name} is starting`, colour: 'yellow' };
  if (state === 'missing') return { text: `  ${name} is missing`, colour: 'red' };
  const doing = [state, health].filter(Boolean).join(', ');
  return { text: `  ${name} is ${doing}; see: ${logCommand(name)}`, colour: 'red' };
}

function isStarting({ state, health }: ServiceState): boolean {
  return state === 'created' || (state === 'running' && health === 'starting');
}
