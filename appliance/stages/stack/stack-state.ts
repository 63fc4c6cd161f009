import { componentOf, serviceNames } from '#contract/component-names.ts';
import { LandfallError } from '#contract/errors.ts';
import { siteFile } from '#contract/server-paths.ts';
import { isEnabled, isEngineNode } from '#contract/site/enabled.ts';
import { type Site, siteSchema } from '#contract/site/site.ts';
import { applyVariables } from '#contract/site/variables.ts';
import { formatDuration } from '#contract/text/amount.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { hasJoined } from '../../nodes/swarm/membership.ts';
import { taskFilter } from '../../nodes/swarm/node-task.ts';
import type { Host } from '../../server/host/host.ts';
import { readJsonFile } from '../../server/host/state-file.ts';
import { readStopped } from './stopped.ts';

/** The state of a service's container. */
export interface ServiceState {
  readonly name: string;
  /** `running`, `exited`, `restarting`, …; `missing` without a container. */
  readonly state: string;
  /** Empty for a service without a health check. */
  readonly health: string;
  /** When an administrator stopped it; absent for a service that should run. */
  readonly stoppedSince?: string;
  /** Whether a Swarm runs it instead of Compose: Ollama on a node that has joined. */
  readonly isTask?: true;
}

/** Returns whether a service is running and, if it has a health check, healthy. */
export function isUp({ state, health }: ServiceState): boolean {
  return state === 'running' && (health === '' || health === 'healthy');
}

/** The current state of the stack, or why Docker does not return it. Fields of `status --json`. */
export type StackState = { readonly parts: readonly ServiceState[] } | { readonly engine: string };

/** Seconds. A working Docker responds within one second. */
const timeout = 10;

const label = (name: string) => `com.docker.compose.${name}`;
/** `oneoff` marks containers of `docker compose run`, which are not expected to be up. */
const format = [
  `{{.Label "${label('service')}"}}`,
  '{{.State}}',
  `{{.Label "${label('oneoff')}"}}`,
  '{{.Status}}',
].join('\t');

/**
 * Reads the state of the components from Docker. Must be run as root. Changes nothing.
 * @param seconds until a Docker that does not respond counts as down
 */
export async function stackState(host: Host, seconds = timeout): Promise<StackState> {
  try {
    const site = await readStoredSite(host);
    const wanted = site ? wantedParts(site) : [];
    const found = await componentStates(host, site, seconds);
    const others = found.filter(({ name }) => !wanted.includes(name));
    const stopped = await readStopped(host);
    const parts = [...statesOf(wanted, found), ...others];
    return { parts: parts.map((part) => withStop(part, stopped.get(part.name))) };
  } catch (error) {
    if (error instanceof LandfallError) return { engine: reasonOf(error, seconds) };
    throw error;
  }
}

/** The record is outdated if Docker runs the container: another program has started it. */
function withStop(part: ServiceState, since: string | undefined): ServiceState {
  const isRunning = part.state === 'running' || part.state === 'restarting';
  return since === undefined || isRunning ? part : { ...part, stoppedSince: since };
}

/** Returns the state of the stack's containers. @throws LandfallError COMMAND_FAILED, TOOL_MISSING */
export async function serviceStates(host: Host, seconds = 120): Promise<ServiceState[]> {
  const project = `label=${label('project')}=landfall`;
  const args = ['ps', '--all', '--filter', project, '--format', format];
  const { stdout } = await host.run('docker', args, { seconds });
  return stdout.split('\n').flatMap(parse);
}

/**
 * Returns the state of the stack's containers, and of the task of an engine node.
 * @throws LandfallError COMMAND_FAILED, TOOL_MISSING
 */
export async function componentStates(
  host: Host,
  site: Pick<Site, 'role'> | undefined,
  seconds?: number,
): Promise<ServiceState[]> {
  const found = await serviceStates(host, seconds);
  return site && isEngineNode(site) ? [...found, ...(await taskStates(host, seconds))] : found;
}

/**
 * Returns the names of containers that Compose was putting in place of others at a power cut. It creates
 * a new one as `<id>_landfall-ui`, removes the old one, and then renames the new one. A container that
 * kept the temporary name is up to date for Compose, which starts it and never renames it.
 */
export async function halfReplaced(host: Host): Promise<string[]> {
  const project = `label=${label('project')}=landfall`;
  const args = ['ps', '--all', '--filter', project, '--format', '{{.Names}}'];
  const { stdout } = await host.run('docker', args);
  return stdout.split('\n').filter((name) => /^(?:[0-9a-f]{12}_)+landfall-/.test(name));
}

function parse(line: string): ServiceState[] {
  const [name = '', state = '', oneoff = '', status = ''] = line
    .split('\t')
    .map((cell) => plainLine(cell));
  if (name === '' || oneoff === 'True') return [];
  return [{ name, state, health: healthIn(status) }];
}

/** Parses `Up 5 minutes (healthy)` or `Up 2 seconds (health: starting)`; empty without a health check. */
function healthIn(status: string): string {
  return /\((?:health: )?(starting|healthy|unhealthy)\)/.exec(status)?.[1] ?? '';
}

/** Returns the state of each of these services, in their order. */
export function statesOf(
  services: readonly string[],
  found: readonly ServiceState[],
): ServiceState[] {
  return services.map(
    (name) => found.find((state) => state.name === name) ?? { name, state: 'missing', health: '' },
  );
}

/** Returns the Ollama of a node that a Swarm runs, if it has joined one. */
async function taskStates(host: Host, seconds?: number): Promise<ServiceState[]> {
  if (!(await hasJoined(host))) return [];
  const [state = '', status = ''] = await newestTask(host, '{{.State}}\t{{.Status}}', seconds);
  return [{ name: 'engine', state: state || 'missing', health: healthIn(status), isTask: true }];
}

/** Returns the container of a component. That of a task has another name after each restart. */
export async function containerOf(host: Host, name: string): Promise<string> {
  const isOfSwarm = name === 'engine' && (await hasJoined(host));
  const [task] = isOfSwarm ? await newestTask(host, '{{.Names}}') : [];
  return task || `landfall-${name}`;
}

/** Returns columns of the newest container that a Swarm has started on this node; none without one. */
async function newestTask(host: Host, columns: string, seconds?: number): Promise<string[]> {
  const args = ['ps', '--all', '--filter', taskFilter, '--format', columns];
  const { stdout } = await host.run('docker', args, seconds === undefined ? {} : { seconds });
  return (stdout.split('\n')[0] ?? '').split('\t').map((cell) => plainLine(cell));
}

/** Returns the site; undefined if it is unreadable. */
async function readStoredSite(host: Host): Promise<Site | undefined> {
  const stored = await readJsonFile(host, siteFile, siteSchema);
  return stored && applyVariables(stored);
}

/** Returns the services that run permanently, by name in `compose.yaml`. */
function wantedParts(site: Site): string[] {
  return serviceNames.filter(
    (name) => componentOf(name).runs !== 'on-timer' && isEnabled(site, name),
  );
}

/** Returns the last line of the `docker` command's output, which has the cause of the failure. */
function reasonOf({ code, message, problems }: LandfallError, seconds: number): string {
  if (code === 'TOOL_MISSING') return message;
  return plainLine(
    problems.at(-1)?.message ?? `no response within ${formatDuration(seconds * 1000)}`,
  );
}
