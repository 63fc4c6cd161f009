import { setTimeout as sleep } from 'node:timers/promises';
import { logCommand } from '#contract/component-names.ts';
import { LandfallError } from '#contract/errors.ts';
import { say } from '#contract/text/language.ts';
import type { Host } from '../../server/host/host.ts';
import type { Context } from '../../server/stage/stage.ts';
import { wantedServices } from './compose.ts';
import { componentStates, isUp, type ServiceState, statesOf } from './stack-state.ts';

/** The first start of the chat UI takes minutes on two small cores. */
const timeoutMs = 15 * 60 * 1000;
/** Each poll takes 0.1 s of CPU time from the starting services, so the interval grows. */
const [quickForMs, quickPauseMs, pauseMs] = [10_000, 250, 1000];

/**
 * Waits until services are up, and reports progress.
 * @param only names of the services, which fail as soon as one is unhealthy; default: all that run
 *   permanently
 * @throws LandfallError STACK_UNHEALTHY with every service that is not up
 */
export async function awaitHealth(
  {
    host,
    site,
    releaseFolder,
    report,
  }: Pick<Context, 'host' | 'site' | 'releaseFolder' | 'report'>,
  only?: readonly string[],
): Promise<void> {
  const services = only ?? (await wantedServices(host, releaseFolder));
  const began = performance.now();
  let restartsBefore: ReadonlyMap<string, number> | undefined;
  for (;;) {
    const late = lateServices(services, await componentStates(host, site));
    report.progress({
      done: services.length - late.length,
      total: services.length,
      unit: 'services',
    });
    if (late.length === 0) return;
    const waitedMs = performance.now() - began;
    if (waitedMs > timeoutMs) throw unhealthy(late);
    if (waitedMs > quickForMs) {
      const restarts = await restartCounts(host, late);
      restartsBefore ??= restarts;
      const failing = late.filter(
        (each) =>
          (restarts.get(each.name) ?? 0) - (restartsBefore?.get(each.name) ?? 0) >= maxRestarts ||
          (only !== undefined && hasFailed(each)),
      );
      if (failing.length > 0) throw unhealthy(failing);
    }
    await host.outside.measure(() => sleep(pauseAfter(waitedMs)));
  }
}

/** A service that Docker has started again so often does not start, as after a failed migration. */
const maxRestarts = 3;

/** In a first boot, a slow server may be healthy later. A command that was typed must end. */
function hasFailed({ state, health }: ServiceState): boolean {
  return health === 'unhealthy' || state === 'exited' || state === 'missing';
}

/** Returns how often Docker has restarted the containers of services. */
async function restartCounts(
  host: Host,
  services: readonly ServiceState[],
): Promise<ReadonlyMap<string, number>> {
  const format = '{{.Name}} {{.RestartCount}}';
  const names = services.map(({ name }) => `landfall-${name}`);
  const { stdout } = await host.run('docker', ['inspect', '--format', format, ...names], {
    accept: [1],
  });
  const pairs = stdout.split('\n').flatMap((line) => {
    const [, name, count] = /^\/landfall-(\S+) (\d+)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, Number(count)] as const];
  });
  return new Map(pairs);
}

/** Returns the time until the next poll. All values are in milliseconds. */
export function pauseAfter(waitedMs: number): number {
  return waitedMs < quickForMs ? quickPauseMs : pauseMs;
}

/** Returns the wanted services that are not up, with their state. */
export function lateServices(
  services: readonly string[],
  states: readonly ServiceState[],
): ServiceState[] {
  return statesOf(services, states).filter((state) => !isUp(state));
}

/** Returns the error for services that did not start. */
export function unhealthy(late: readonly ServiceState[]): LandfallError {
  return new LandfallError('STACK_UNHEALTHY', 'a component of the stack did not start', {
    problems: late.map(({ name, state, health }) => {
      const states = [state, health].filter(Boolean).join(', ');
      return {
        message: say(`${name} is ${states}`, `${name}：${states}`),
        hint: `see: ${logCommand(name)}`,
      };
    }),
  });
}
