import { setTimeout as sleep } from 'node:timers/promises';
import { componentOf, selectableComponents } from '#contract/component-names.ts';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { logCommand } from '#contract/log-command.ts';
import type { Site } from '#contract/site/site.ts';
import { ensureGatewayPairs, hasGatewayPairs } from '../certificates/gateway-pairs.ts';
import type { Host } from '../host/host.ts';
import { stopPage } from '../progress/page/page-unit.ts';
import { unmadeSecrets } from '../secrets/secret-values.ts';
import type { Warning } from '../stage/reporter.ts';
import type { Context, Stage } from '../stage/stage.ts';
import { compose, reloadGateway, wantedServices } from './compose.ts';
import { ensureGatewayLog } from './public.ts';
import { halfReplaced, isUp, type ServiceState, serviceStates, statesOf } from './stack-state.ts';
import { outdatedFiles, renderForServer, writeStack } from './write-stack.ts';

/** Configures and starts the services. */
export const stackStage: Stage = {
  name: 'stack',
  title: 'stack: inference engine, chat UI, proxy and gateway',
  check,
  apply,
  prove,
};

async function check(context: Context): Promise<string[]> {
  const { host, site, releaseFolder } = context;
  if ((await unmadeSecrets(host, site)).length > 0) return ['configure the stack and start it'];
  const outdated = await outdatedFiles(host, await renderForServer(context));
  if (outdated.length > 0) return outdated.map(({ path }) => `write ${path}`);
  if (!(await hasGatewayPairs(host))) return ['create a self-signed certificate'];
  const late = lateServices(await wantedServices(host, releaseFolder), await serviceStates(host));
  const half = await halfReplaced(host);
  return [...half.map((name) => `replace ${name}`), ...late.map(({ name }) => `start ${name}`)];
}

async function apply(context: Context): Promise<void> {
  const { host, site, releaseFolder, report } = context;
  await writeStack(host, await renderForServer(context));
  await ensureGatewayPairs(host, site);
  await ensureGatewayLog(host);
  report.say('starting the services');
  // The gateway uses the port of the progress page.
  await stopPage(host);
  const half = await halfReplaced(host);
  if (half.length > 0) await host.run('docker', ['rm', '--force', ...half]);
  await startServices(host, releaseFolder);
  await awaitHealth(context);
  // A gateway that was already running still has the previous configuration.
  await reloadGateway(host);
}

async function prove({ host, releaseFolder, report, site }: Context): Promise<void> {
  for (const warning of upkeepWarnings(site)) report.warn(warning);
  const late = lateServices(await wantedServices(host, releaseFolder), await serviceStates(host));
  if (late.length > 0) throw unhealthy(late);
}

/** Returns a warning about each enabled component that gets no more releases. */
export function upkeepWarnings({ components }: Pick<Site, 'components'>): Warning[] {
  return selectableComponents
    .filter((name) => components[name])
    .flatMap((name) => {
      const text = componentOf(name).upkeep;
      return text === undefined ? [] : [{ kind: 'component' as const, subject: name, text }];
    });
}

/** Seconds. The images are present, so only stopping and starting containers takes time. */
const upSeconds = 600;
const attempts = 3;
/**
 * Observed after a restart of Docker: it starts a container again that Compose has just stopped to
 * replace it, and then refuses to remove it. The next attempt finds all containers settled.
 */
const startedAgain = /cannot remove container .*is running/;

/** A service that others wait for has ended, or is unhealthy. */
const notStarted = /dependency failed to start|is unhealthy|exited \(\d+\)/;

/**
 * Creates and starts the containers of the stack, and replaces those with other settings.
 * @throws LandfallError STACK_UNHEALTHY, COMMAND_FAILED
 */
export async function startServices(host: Host, releaseFolder: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await compose(host, releaseFolder, ['up', '--detach', '--remove-orphans'], {
        seconds: upSeconds,
      });
      return;
    } catch (error) {
      if (attempt < attempts && says(error, startedAgain).length > 0) continue;
      const problems = says(error, notStarted);
      if (problems.length === 0) throw error;
      throw new LandfallError('STACK_UNHEALTHY', 'a component of the stack did not start', {
        hint: 'Its log has the reason: sudo docker logs --tail 50 landfall-<component>',
        problems,
        cause: error,
      });
    }
  }
}

/** Returns the lines of a failed command that match. */
function says(error: unknown, text: RegExp): readonly Problem[] {
  if (!(error instanceof LandfallError)) return [];
  return error.problems.filter(({ message }) => text.test(message));
}

/** The first start of the chat UI takes minutes on two small cores. */
const timeoutMs = 15 * 60 * 1000;
/** Each poll takes 0.1 s of CPU time from the starting services, so the interval grows. */
const [quickForMs, quickPauseMs, pauseMs] = [10_000, 250, 1000];

/**
 * Waits until every service is up, and reports progress.
 * @throws LandfallError STACK_UNHEALTHY with every service that is not up
 */
export async function awaitHealth({ host, releaseFolder, report }: Context): Promise<void> {
  const services = await wantedServices(host, releaseFolder);
  const began = performance.now();
  let restartsBefore: ReadonlyMap<string, number> | undefined;
  for (;;) {
    const late = lateServices(services, await serviceStates(host));
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
        ({ name }) => (restarts.get(name) ?? 0) - (restartsBefore?.get(name) ?? 0) >= maxRestarts,
      );
      if (failing.length > 0) throw unhealthy(failing);
    }
    await host.outside.measure(() => sleep(pauseAfter(waitedMs)));
  }
}

/** A service that Docker has started again so often does not start, as after a failed migration. */
const maxRestarts = 3;

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
function lateServices(
  services: readonly string[],
  states: readonly ServiceState[],
): ServiceState[] {
  return statesOf(services, states).filter((state) => !isUp(state));
}

/** Returns the error for services that did not start. */
function unhealthy(late: readonly ServiceState[]): LandfallError {
  return new LandfallError('STACK_UNHEALTHY', 'a component of the stack did not start', {
    problems: late.map(({ name, state, health }) => ({
      message: `${name} is ${[state, health].filter(Boolean).join(', ')}`,
      hint: `see: ${logCommand(name)}`,
    })),
  });
}
