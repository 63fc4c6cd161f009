import { logCommand } from '#contract/component-names.ts';
import { inLanguage, type Text } from '#contract/text/language.ts';
import { formatTime } from '#contract/text/time-zone.ts';
import { adviceOf, type Condition, colourOf } from '../../server/conditions/condition.ts';
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

/** Returns what an administrator must know: Docker does not respond, or components that are not up. */
export function stackConditions(now: StackState): Condition[] {
  if (!('parts' in now)) {
    const what = {
      en: `Docker is not responding: ${now.engine}`,
      zh: `Docker 没有响应：${now.engine}`,
    };
    const command = 'sudo systemctl status docker';
    return [{ topic: 'docker', subject: 'docker', severity: 'broken', what, command }];
  }
  if (now.parts.length === 0) {
    const what = { en: 'the stack has no containers', zh: '没有任何容器' };
    return [{ topic: 'stack', severity: 'broken', what, command: 'sudo landfall first-boot' }];
  }
  return [...latePartsOf(now.parts).map(lateComponent), ...now.parts.flatMap(stoppedComponent)];
}

function lateComponent(part: ServiceState): Condition {
  const { name, state, health } = part;
  const doing = isStarting(part) ? 'starting' : [state, health].filter(Boolean).join(', ');
  return {
    ...{ topic: 'component', subject: name, severity: isStarting(part) ? 'note' : 'broken' },
    what: { en: `${name} is ${doing}`, zh: `${name}：${doing.replace(', ', '，')}` },
    command: state === 'missing' ? 'sudo landfall first-boot' : logCommand(name),
  };
}

function stoppedComponent({ name, stoppedSince }: ServiceState): Condition[] {
  if (stoppedSince === undefined) return [];
  const time = formatTime(new Date(stoppedSince));
  const what = {
    en: `${name} was stopped by an administrator, since ${time}`,
    zh: `${name} 已由管理员停止，自 ${time} 起`,
  };
  const command = `sudo landfall start ${name}`;
  return [{ topic: 'component stopped', subject: name, severity: 'note', what, command }];
}

/** Formats the current state of the stack: which components are up or not, with commands. */
export function describeStack(now: StackState): Row[] {
  const rows = (before: string) =>
    stackConditions(now).map(
      (each): Row => ({ text: `${before}${adviceOf(each)}`, colour: colourOf(each) }),
    );
  if (!('parts' in now) || now.parts.length === 0) {
    return rows(inLanguage({ en: 'now: ', zh: '当前：' }));
  }
  const late = latePartsOf(now.parts);
  const up = now.parts.filter(isUp);
  const names = up.map(({ name }) => name).join(', ');
  if (late.length === 0 && up.length === 0) return rows('  ');
  if (late.length === 0) {
    const all = rows('').length === 0;
    const en = all ? 'all components are up' : 'all other components are up';
    const zh = all ? '所有组件正常' : '其他组件正常';
    return [row(`now: ${en}: ${names}`, `当前：${zh}：${names}`, 'green'), ...rows('  ')];
  }
  return [
    row(
      `now: ${late.length} of ${now.parts.length} components not up`,
      `当前：${now.parts.length} 个组件中有 ${late.length} 个不正常`,
      'bold',
    ),
    ...rows('  '),
    ...(late.some(isStoppedTask) ? [{ text: `  ${inLanguage(ranBySwarm)}` }] : []),
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
