import { addressesOf } from '#contract/site/network/dns.ts';
import type { Site } from '#contract/site/site.ts';
import type { OwnSettings } from './own-settings.ts';
import { hubMirrors, plainHosts } from './registry-mirrors.ts';

/** The lists of daemon.json with entries of both the site and the administrator. */
export type SiteLists = Pick<OwnSettings, 'registry-mirrors' | 'insecure-registries' | 'dns'>;

/** The lists in the file, without empty ones. */
type FileLists = { readonly [name in keyof SiteLists]?: readonly string[] | undefined };

interface MergedLists {
  readonly lists: { [name in keyof SiteLists]: string[] | undefined };
  /** The entries that we added and may remove. */
  readonly own: SiteLists;
}

/**
 * Merges the entries of the site before those of the administrator. Entries of an earlier site are
 * removed; those of the administrator are kept, even if the site has them too.
 * @param earlier entries that an earlier run added
 */
export function mergeSiteLists(
  current: FileLists,
  site: Pick<Site, 'mirrors' | 'dns'>,
  earlier: SiteLists = { 'registry-mirrors': [], 'insecure-registries': [], dns: [] },
): MergedLists {
  const merge = (name: keyof SiteLists, wanted: readonly string[]) => {
    const existing = (current[name] ?? []).filter((value) => !earlier[name].includes(value));
    const own = wanted.filter((value) => !existing.includes(value));
    const list = [...own, ...existing];
    return { own, list: list.length === 0 ? undefined : list };
  };
  const mirrors = merge('registry-mirrors', hubMirrors(site));
  const plain = merge('insecure-registries', plainHosts(site));
  // Docker does not encrypt its queries.
  const dns = merge('dns', site.dns ? addressesOf(site.dns) : []);
  return {
    lists: { 'registry-mirrors': mirrors.list, 'insecure-registries': plain.list, dns: dns.list },
    own: { 'registry-mirrors': mirrors.own, 'insecure-registries': plain.own, dns: dns.own },
  };
}
