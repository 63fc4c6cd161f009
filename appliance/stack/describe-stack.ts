import { logCommand } from '#contract/log-command.ts';
import type { Row } from '../progress/terminal/row.ts';
import { isUp, type ServiceState } from './services.ts';
import type { StackState } from './stack-state.ts';

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
      { text: `now: Docker is not responding: ${now.engine}`, colour: 'red' },
      { text: 'see: sudo systemctl status docker' },
    ];
  }
  if (now.parts.length === 0) {
    return [
      { text: 'now: the stack has no containers', colour: 'red' },
      { text: 'start it: sudo landfall first-boot' },
    ];
  }
  const up = now.parts.filter(isUp);
  const late = now.parts.filter((part) => !isUp(part));
  const names = up.map(({ name }) => name).join(', ');
  if (late.length === 0) return [{ text: `now: all components are up: ${names}`, colour: 'green' }];
  return [
    { text: `now: ${late.length} of ${now.parts.length} components not up`, colour: 'bold' },
    ...late.map(lateRow),
    ...(up.length > 0 ? [{ text: `  up: ${names}` }] : []),
    {
      text: 'test the server: sudo landfall smoke; start stopped components: sudo landfall first-boot',
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
