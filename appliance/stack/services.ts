import { z } from 'zod';
import type { Host } from '../host/host.ts';
import { compose } from './compose.ts';

const serviceSchema = z.object({
  Service: z.string(),
  /** `running`, `exited`, `restarting`, … */
  State: z.string(),
  /** Empty where a service has no health check. */
  Health: z.string(),
});

export interface ServiceState {
  readonly name: string;
  readonly state: string;
  readonly health: string;
}

/** What the containers of the stack are doing. */
export async function serviceStates(host: Host, releaseFolder: string): Promise<ServiceState[]> {
  const { stdout } = await compose(host, releaseFolder, ['ps', '--all', '--format', 'json']);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => serviceSchema.parse(JSON.parse(line)))
    .map(({ Service, State, Health }) => ({ name: Service, state: State, health: Health }));
}

/** The services that this site runs all the time, by the names of `compose.yaml`. */
export async function wantedServices(host: Host, releaseFolder: string): Promise<string[]> {
  const { stdout } = await compose(host, releaseFolder, ['config', '--services']);
  return stdout.split('\n').filter((line) => line !== '');
}

/** Whether a service does its work, as far as it can tell by itself. */
export function isUp({ state, health }: ServiceState): boolean {
  return state === 'running' && (health === '' || health === 'healthy');
}
