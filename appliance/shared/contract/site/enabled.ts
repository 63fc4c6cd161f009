import {
  componentNames,
  componentOf,
  type HostComponent,
  hostComponents,
} from '../component-names.ts';
import type { ComponentName } from '../components.ts';
import type { Site } from './site.ts';

/** The fields of a site that determine which components it runs. */
export type ComponentSettings = Pick<Site, 'components' | 'providers' | 'hosts'> &
  Partial<Pick<Site, 'hub' | 'relay' | 'engines' | 'role'>>;

/** Returns whether a site runs a component. */
export function isEnabled(site: ComponentSettings, name: ComponentName): boolean {
  if (!isForServer(site, name)) return false;
  switch (componentOf(name).runs) {
    case 'always':
    case 'on-timer':
      return true;
    case 'when-selected':
      return isSelected(site, name);
    case 'when-needed':
      return whyNeeded(site, name) !== undefined;
  }
}

/** Returns whether a server answers for another server only. */
export function isEngineNode({ role }: Pick<Partial<Site>, 'role'>): boolean {
  return role === 'engine-node';
}

/** Returns whether Docker of a server may be in a Swarm: it is an engine node, or has such nodes. */
export function usesSwarm({ role, engines }: Pick<Partial<Site>, 'role' | 'engines'>): boolean {
  return isEngineNode({ role }) || engines?.swarm !== undefined;
}

/** Returns whether a component is for this kind of server: an engine node has Ollama and the gateway. */
export function isForServer(site: Pick<Partial<Site>, 'role'>, name: ComponentName): boolean {
  return !isEngineNode(site) || componentOf(name).onEngineNodes === true;
}

/** Returns whether a component uses the relay, and therefore has a relay key. */
export function hasRelayKey(site: ComponentSettings, name: ComponentName): boolean {
  const { usesRelay } = componentOf(name);
  if (usesRelay === undefined || !isEnabled(site, name)) return false;
  return usesRelay === 'always' || Object.keys(site.providers).length > 0;
}

/** Returns the setting that enables a component, such as `components.chat is true`. */
export function whyEnabled(site: ComponentSettings, name: ComponentName): string | undefined {
  if (!isEnabled(site, name)) return undefined;
  const { runs } = componentOf(name);
  if (runs === 'when-needed') return whyNeeded(site, name);
  if (runs !== 'when-selected' || !isSelected(site, name)) return undefined;
  return `components.${name} is true`;
}

function isSelected({ components }: ComponentSettings, name: ComponentName): boolean {
  return (components as Partial<Record<ComponentName, boolean>>)[name] === true;
}

/** Returns the setting that needs a component with `when-needed`. */
function whyNeeded(site: ComponentSettings, name: ComponentName): string | undefined {
  if (name === 'relay') return whyRelay(site);
  return name === 'balancer' && site.engines ? 'engines is set' : undefined;
}

/** The relay serves providers and local models, to a host name or to front-ends. */
function whyRelay(site: ComponentSettings): string | undefined {
  const [provider] = Object.keys(site.providers);
  if (provider !== undefined) return `providers.${provider} is set`;
  if (site.hub !== undefined) return 'hub is set';
  if (site.relay?.local) return 'relay.local is true';
  if (site.hosts.relay !== undefined) return `hosts.relay is ${site.hosts.relay}`;
  const hasClient = componentNames.some(
    (each) => componentOf(each).usesRelay === 'always' && isEnabled(site, each),
  );
  return hasClient ? 'a front-end is enabled' : undefined;
}

/** Returns every host name of a site, also of disabled components. A name may be listed twice. */
export function hostNames({ hosts }: Pick<Site, 'hosts'>): string[] {
  return hostComponents.flatMap((name) => hosts[name] ?? []);
}

/** Returns the host names that the gateway serves: those of the site, without disabled components. */
export function servedHosts(site: ComponentSettings): Partial<Record<HostComponent, string>> {
  return Object.fromEntries(
    hostComponents
      .filter((name) => site.hosts[name] !== undefined && isEnabled(site, name))
      .map((name) => [name, site.hosts[name]]),
  );
}
