import { logCommand } from '#contract/log-command.ts';
import type { Row } from '../progress/terminal/row.ts';
import type { StackNow } from './parts-now.ts';
import { isUp, type ServiceState } from './services.ts';

/** Whether all parts do their work, some only begin to, or one does not. */
type Health = 'up' | 'starting' | 'down';

/** The worst of what the parts do. An engine that says nothing runs nothing that could be relied on. */
export function healthOf(now: StackNow): Health {
  if (!('parts' in now) || now.parts.length === 0) return 'down';
  const late = now.parts.filter((part) => !isUp(part));
  if (late.length === 0) return 'up';
  return late.every(isStarting) ? 'starting' : 'down';
}

/** What the stack does now, for people: what is up, what is not, and what to do about that. */
export function describeParts(now: StackNow): Row[] {
  if (!('parts' in now)) {
    return [
      { text: `now: the container engine does not answer: ${now.engine}`, colour: 'red' },
      { text: 'see: sudo systemctl status docker' },
    ];
  }
  if (now.parts.length === 0) {
    return [
      { text: 'now: no part of the stack is there', colour: 'red' },
      { text: 'start them: sudo landfall first-boot' },
    ];
  }
  const up = now.parts.filter(isUp);
  const late = now.parts.filter((part) => !isUp(part));
  const names = up.map(({ name }) => name).join(', ');
  if (late.length === 0) return [{ text: `now: all parts are up: ${names}`, colour: 'green' }];
  return [
    { text: `now: ${late.length} of ${now.parts.length} parts not up`, colour: 'bold' },
    ...late.map(lateRow),
    ...(up.length > 0 ? [{ text: `  up: ${names}` }] : []),
    {
      text: 'test all of it: sudo landfall smoke; start what is stopped: sudo landfall first-boot',
    },
  ];
}

function lateRow(part: ServiceState): Row {
  const { name, state, health } = part;
  if (isStarting(part)) return { text: `  ${name} is starting`, colour: 'yellow' };
  const doing = [state, health].filter(Boolean).join(', ');
  if (state === 'missing') return { text: `  ${name} is missing`, colour: 'red' };
  return {
    text: `  ${name} is ${doing}; see: ${logCommand(name)}`,
    colour: 'red',
  };
}

function isStarting({ state, health }: ServiceState): boolean {
  return state === 'created' || (state === 'running' && health === 'starting');
}
