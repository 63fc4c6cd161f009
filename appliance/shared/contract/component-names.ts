import type { Component } from './component.ts';
import { type ComponentName, components } from './components.ts';

/** Names of the components whose entry matches a shape. */
type Matching<Shape> = {
  [Name in ComponentName]: (typeof components)[Name] extends Shape ? Name : never;
}[ComponentName];

/** A component with a container; also the name of its service in `compose.yaml`. */
export type ServiceName = Exclude<ComponentName, Matching<{ readonly servedBy: string }>>;
/** A component that can have a host name of its own. */
export type HostComponent = Matching<{ readonly hasHostName: true }>;
/** A component with a port on the loopback address of the server. */
export type PortComponent = Matching<{ readonly port: number }>;
/** A component that a site selects with `components.<name>`. */
type SelectableComponent = Matching<{ readonly runs: 'when-selected' }>;
/** A component whose image has a program of Landfall. */
export type ProgramComponent = Matching<{ readonly program: true }>;

export const componentNames = Object.keys(components) as ComponentName[];
export const serviceNames = namesOf<ServiceName>(({ servedBy }) => servedBy === undefined);
export const hostComponents = namesOf<HostComponent>(({ hasHostName }) => hasHostName === true);
export const portComponents = namesOf<PortComponent>(({ port }) => port !== undefined);
export const selectableComponents = namesOf<SelectableComponent>(
  ({ runs }) => runs === 'when-selected',
);
export const programComponents = namesOf<ProgramComponent>(({ program }) => program === true);

/** The component at the bare address of a server without host names. */
export const bareAddressComponent = 'ui' satisfies HostComponent;

/** Returns the entry of a component with every optional field. */
export function componentOf(name: ComponentName): Component {
  return components[name];
}

/** Returns the name of a variable of `compose.yaml` for a component, such as `UI_PORT`. */
export function variableOf(name: string, suffix: string): string {
  return `${name.replaceAll('-', '_').toUpperCase()}_${suffix}`;
}

/** Returns an object with one value for each of some components, such as the fields of a schema. */
export function byComponent<Name extends ComponentName, Value>(
  names: readonly Name[],
  value: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, Value>;
}

function namesOf<Name extends ComponentName>(matches: (component: Component) => boolean): Name[] {
  return componentNames.filter((name) => matches(componentOf(name))) as Name[];
}

/**
 * Returns the command that shows why a service fails: its log, or the state of its container if
 * Docker keeps no log.
 * @param service a name in `compose.yaml`, also of a stack other than Landfall's
 */
export function logCommand(service: string): string {
  const name = componentNames.find((each) => each === service);
  return name && componentOf(name).logging === 'none'
    ? `sudo docker inspect --format "{{json .State}}" landfall-${service}`
    : `sudo docker logs --tail 50 landfall-${service}`;
}
