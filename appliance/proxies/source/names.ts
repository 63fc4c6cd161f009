import type { ProxyEntry } from '../model/proxy.ts';
import type { Located } from './parts.ts';
import type { Report } from './report.ts';

/** The note for a duplicate name. */
export const duplicateName = 'duplicate name: a number is added';

/**
 * Returns a name that is not in use: `PROXY`, `PROXY 2`, …
 * @param first the number to begin with; 1 is the name without a number
 */
export function freeName(name: string, used: ReadonlySet<string>, first = 1): string {
  for (let number = first; ; number += 1) {
    const free = number === 1 ? name : `${name} ${number}`;
    if (!used.has(free)) return free;
  }
}

/** Numbers duplicate names: `HK`, `HK 2`, … */
export function numberedNames(
  proxies: readonly Located<ProxyEntry>[],
  report: Report,
): Located<ProxyEntry>[] {
  const used = new Set<string>();
  const numbers = new Map<string, number>();
  return proxies.map(({ entry, position }) => {
    const number = numbers.get(entry.name) ?? 1;
    const name = freeName(entry.name, used, number);
    numbers.set(entry.name, number + 1);
    used.add(name);
    if (name === entry.name) return { entry, position };
    report.note(position, duplicateName);
    return { entry: { ...entry, name }, position };
  });
}
