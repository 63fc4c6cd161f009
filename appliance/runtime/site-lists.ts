import type { Site } from '#contract/site/site.ts';
import type { OwnSettings } from './own-settings.ts';
import { hubMirrors, plainHosts } from './registry-mirrors.ts';

/** The lists of daemon.json that hold what the site wants beside what the owner wrote there. */
export type SiteLists = Pick<OwnSettings, 'registry-mirrors' | 'insecure-registries'>;

/** As the file has them: a list that is empty is left out. */
type FileLists = { readonly [name in keyof SiteLists]?: readonly string[] | undefined };

interface MergedLists {
  readonly lists: { [name in keyof SiteLists]: string[] | undefined };
  /** What of them is ours to take away again. */
  readonly own: SiteLists;
}

/**
 * Puts what the site wants before what the owner has. What the site wanted earlier and wants no
 * more goes; what the owner has by himself stays his, also where the site wants it too.
 * @param earlier what an earlier run put there
 */
export function mergeSiteLists(
  current: FileLists,
  site: Pick<Site, 'mirrors'>,
  earlier: SiteLists = { 'registry-mirrors': [], 'insecure-registries': [] },
): MergedLists {
  const merge = (name: keyof SiteLists, wanted: readonly string[]) => {
    const owners = (current[name] ?? []).filter((value) => !earlier[name].includes(value));
    const own = wanted.filter((value) => !owners.includes(value));
    const list = [...own, ...owners];
    return { own, list: list.length === 0 ? undefined : list };
  };
  const mirrors = merge('registry-mirrors', hubMirrors(site));
  const plain = merge('insecure-registries', plainHosts(site));
  return {
    lists: { 'registry-mirrors': mirrors.list, 'insecure-registries': plain.list },
    own: { 'registry-mirrors': mirrors.own, 'insecure-registries': plain.own },
  };
}
