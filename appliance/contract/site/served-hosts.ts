import type { Site } from './site.ts';

/** What can have a host name of its own. */
export const namedParts = ['ui', 'chat', 'lobe', 'relay', 'docs'] as const;
export type NamedPart = (typeof namedParts)[number];

/** The host names that the gateway serves: those of the site, less the parts that are off. */
export function servedHosts({
  hosts,
  components,
}: Pick<Site, 'hosts' | 'components'>): Partial<Record<NamedPart, string>> {
  const off = new Set<string>((['chat', 'lobe'] as const).filter((part) => !components[part]));
  return Object.fromEntries(
    Object.entries(hosts).filter(([part, name]) => name !== undefined && !off.has(part)),
  );
}
