import { setTimeout as sleep } from 'node:timers/promises';
import { LandfallError } from '#contract/errors.ts';
import { logCommand } from '#contract/log-command.ts';
import type { Context } from '../stage/stage.ts';
import { isUp, type ServiceState, serviceStates, wantedServices } from './services.ts';

/** The slowest part, the chat UI on two small cores, takes minutes for its first start. */
const patienceMs = 15 * 60 * 1000;
/** Each look costs the starting services 0.1 s of processor time, so looks become rare on slow servers. */
const [quickForMs, quickPauseMs, pauseMs] = [10_000, 250, 1000];

/**
 * Waits until every service is up, with a bar.
 * @throws LandfallError STACK_UNHEALTHY with every service that is not, and where to look
 */
export async function awaitHealth({ host, releaseFolder, report }: Context): Promise<void> {
  const wanted = await wantedServices(host, releaseFolder);
  const began = performance.now();
  for (;;) {
    const late = lateServices(wanted, await serviceStates(host, releaseFolder));
    report.progress({ done: wanted.length - late.length, total: wanted.length, unit: 'services' });
    if (late.length === 0) return;
    const waitedMs = performance.now() - began;
    if (waitedMs > patienceMs) throw unhealthy(late);
    await host.outside.measure(() => sleep(pauseAfter(waitedMs)));
  }
}

/** Returns how long to wait before the next look, in milliseconds like what was waited so far. */
export function pauseAfter(waitedMs: number): number {
  return waitedMs < quickForMs ? quickPauseMs : pauseMs;
}

/** The wanted services that are not up, with what they are doing instead. */
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

/** What people read when a service does not come up. */
export function unhealthy(late: readonly ServiceState[]): LandfallError {
  return new LandfallError('STACK_UNHEALTHY', 'a part of the stack does not come up', {
    problems: late.map(({ name, state, health }) => ({
      message: `${name} is ${[state, health].filter(Boolean).join(', ')}`,
      hint: `see: ${logCommand(name)}`,
    })),
  });
}
