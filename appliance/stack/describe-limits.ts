import { serviceNames } from '#contract/component-names.ts';
import { type ComponentSettings, isEnabled } from '#contract/site/enabled.ts';
import { formatTable } from '#contract/text/table.ts';
import { limitsOf, type ServerSize } from './limits.ts';

const MiB = 1024 ** 2;

/** Formats the limits of each enabled component on a server of this size, one line per component. */
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
  return `Maximum resources of each container (not reserved):\n${table}`;
}
