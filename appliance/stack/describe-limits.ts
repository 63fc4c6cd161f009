import { serviceNames } from '#contract/component-names.ts';
import { type ComponentSettings, isEnabled } from '#contract/site/enabled.ts';
import { formatTable } from '#contract/text/table.ts';
import { limitsOf, type ServerSize } from './limits.ts';

const MiB = 1024 ** 2;

/** What each part may use at most on a server of this size, one line a part that the site runs. */
export function describeLimits(site: ComponentSettings, server: ServerSize): string {
  const limits = limitsOf(server);
  const rows = serviceNames
    .filter((name) => isEnabled(site, name))
    .map((name) => {
      const { memory, cpus, pids } = limits[name];
      const processors = cpus === 1 ? '1 CPU' : `${cpus} CPUs`;
      return [`    ${name}`, `${memory / MiB} MiB`, processors, `${pids} processes`];
    });
  const table = formatTable(rows, [{}, { align: 'right' }]);
  return `Limits of the containers, ceilings and not shares:\n${table}`;
}
