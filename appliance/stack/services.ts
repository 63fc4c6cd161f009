import { z } from 'zod';
import type { Host } from '../host/host.ts';
import { compose } from './compose.ts';

const serviceSchema = z.object({
  Service: z.string(),
  /** `running`, `exited`, `restarting`, … */
  State: z.string(),
  /** Empty for a service without a health check. */
  Health: z.string(),
});

export interface ServiceState {
  readonly name: string;
  readonly state: string;
  readonly health: string;
}

/** Returns the state of the stack's containers. */
export async function serviceStates(host: Host, releaseFolder: string): Promise<ServiceState[]> {
  const { stdout } = await compose(host, releaseFolder, ['ps', '--all', '--format', 'json']);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => serviceSchema.parse(JSON.parse(line)))
    .map(({ Service, State, Health }) => ({ name: Service, state: State, health: Health }));
}

/** Returns the services that the site runs permanently, by name in `compose.yaml`. */
export async function wantedServices(host: Host, releaseFolder: string): Promise<string[]> {
  const { stdout } = await compose(host, releaseFolder, ['config', '--services']);
  return stdout.split('\n').filter((line) => line !== '');
}

/** Returns whether a service is running and, if it has a health check, healthy. */
export function isUp({ state, health }: ServiceState): boolean {
  return state === 'running' && (health === '' || health === 'healthy');
}
