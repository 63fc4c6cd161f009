import { type Site, siteSchema } from '#contract/site/site.ts';
import type { PreviewPorts } from './ports.ts';

/** The schema requires a key. No account of a preview uses it. */
const anyKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOfVscOQjj0xpAv9TsSsXHMgaePCX3vFCzV9Y1yHldL8 preview';

/** Returns the site of a preview without a site file: all defaults. */
export function defaultSite(): Site {
  return siteSchema.parse({
    release: ['https://downloads.example.com/'],
    admin: { ssh_keys: [anyKey] },
  });
}

/**
 * Returns a site with the settings that only a server can have replaced: a preview has no host names,
 * no public certificate and no network route, and is reached on the loopback address.
 */
export function previewSite(site: Site, ports: PreviewPorts): Site {
  const { https: _https, http: _http, ...own } = ports;
  return {
    ...site,
    hosts: {},
    tls: { mode: 'internal', accept_terms: false },
    route: { mode: 'direct' },
    ca: undefined,
    ports: { ...site.ports, ...own },
  };
}
