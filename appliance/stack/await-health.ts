import { setTimeout as sleep } from 'node:timers/promises';
import { LandfallError } from '#contract/errors.ts';
import { logCommand } from '#contract/log-command.ts';
import type { Context } from '../stage/stage.ts';
import { isUp, type ServiceState, serviceStates, wantedServices } from './services.ts';

/** The first start of the chat UI takes minutes on two small cores. */
const timeoutMs = 15 * 60 * 1000;
/** Each poll takes 0.1 s of CPU time from the starting services, so the interval grows. */
const [quickForMs, quickPauseMs, pauseMs] = [10_000, 250, 1000];

/**
 * Waits until every service is up, and reports progress.
 * @throws LandfallError STACK_UNHEALTHY with every service that is not up
 */
export async function awaitHealth({ host, releaseFolder, report }: Context): Promise<void> {
  const wanted = await wantedServices(host, releaseFolder);
  const began = performance.now();
  for (;;) {
    const late = lateServices(wanted, await serviceStates(host, releaseFolder));
    report.progress({ done: wanted.length - late.length, total: wanted.length, unit: 'services' });
    if (late.length === 0) return;
    const waitedMs = performance.now() - began;
    if (waitedMs > timeoutMs) throw unhealthy(late);
    await host.outside.measure(() => sleep(pauseAfter(waitedMs)));
  }
}

/** Returns the time until the next poll. All values are in milliseconds. */
export function pauseAfter(waitedMs: number): number {
  return waitedMs < quickForMs ? quickPauseMs : pauseMs;
}

/** Returns the wanted services that are not up, with their state. */
export function lateServices(
  wanted: readonly string[],
  states: readonly ServiceState[],
): ServiceState[] {
  return wanted
    .map(
      (name) =>
        states.find((state) => state.name === name) ?? { name, state: 'missing', health: '' },
    )
    .filter((state) => !isUp(state));
}

/** Returns the error for services that did not start. */
export function unhealthy(late: readonly ServiceState[]): LandfallError {
  return new LandfallError('STACK_UNHEALTHY', 'a component of the stack did not start', {
    problems: late.map(({ name, state, health }) => ({
      message: `${name} is ${[state, health].filter(Boolean).join(', ')}`,
      hint: `see: ${logCommand(name)}`,
    })),
  });
}
