import { type PortComponent, portComponents } from '#contract/component-names.ts';
import { isEnabled } from '#contract/site/enabled.ts';
import type { Site } from '#contract/site/site.ts';

/** Ports that a preview publishes on the loopback address: two of the gateway, one per component. */
export type PreviewPort = 'https' | 'http' | PortComponent;
export type PreviewPorts = Readonly<Partial<Record<PreviewPort, number>>> & {
  readonly https: number;
  readonly http: number;
};

/** Ports above 1024, because Docker without root cannot publish others. */
const gatewayPorts = { https: 8443, http: 8088 } as const;

/** Returns the ports that the preview of a site prefers, those of the gateway first. */
export function preferredPorts(site: Site): PreviewPorts {
  const own = portComponents.filter((name) => isEnabled(site, name));
  return {
    ...gatewayPorts,
    ...Object.fromEntries(own.map((name) => [name, site.ports[name]])),
  };
}
