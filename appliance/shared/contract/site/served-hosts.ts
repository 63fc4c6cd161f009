import { type HostComponent, hostComponents } from '../component-names.ts';
import { type ComponentSettings, isEnabled } from './enabled.ts';

/** Returns the host names that the gateway serves: those of the site, without disabled components. */
export function servedHosts(site: ComponentSettings): Partial<Record<HostComponent, string>> {
  return Object.fromEntries(
    hostComponents
      .filter((name) => site.hosts[name] !== undefined && isEnabled(site, name))
      .map((name) => [name, site.hosts[name]]),
  );
}
