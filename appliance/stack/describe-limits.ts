import { serviceNames } from '#contract/component-names.ts';
import { type ComponentSettings, isEnabled } from '#contract/site/enabled.ts';
import { limitsOf, type ServerSize } from './limits.ts';

const MiB = 1024 ** 2;

/** What each part may use at most on a server of this size, one line a part that the site runs. */
export function describeLimits(site: ComponentSettings, server: ServerSize): string {
  const limits = limitsOf(server);
  const lines = serviceNames
    .filter((name) => isEnabled(site, name))
    .map((name) => {
      const { memory, cpus, pids } = limits[name];
      const processors = cpus === 1 ? '1 CPU ' : `${cpus} CPUs`;
      return `    ${name.padEnd(10)} ${`${memory / MiB}`.padStart(7)} MiB  ${processors}  ${pids} processes`;
    });
  return ['Limits of the containers, ceilings and not shares:', ...lines].join('\n');
}
