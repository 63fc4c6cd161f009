import { runsRelay } from '#contract/site/chosen-images.ts';
import type { Site } from '#contract/site/site.ts';
import { formatTable } from '#contract/text/table.ts';
import { serviceNames } from '../host/download/route-environment.ts';
import { limitsOf, type ServerSize } from './limits.ts';

const MiB = 1024 ** 2;

/** What each part may use at most on a server of this size, one line a part that the site runs. */
export function describeLimits(
  site: Pick<Site, 'components' | 'providers' | 'hosts'>,
  server: ServerSize,
): string {
  const { chat, lobe } = site.components;
  const off = new Set([chat ? '' : 'chat', lobe ? '' : 'lobe', runsRelay(site) ? '' : 'relay']);
  const limits = limitsOf(server);
  const rows = serviceNames
    .filter((name) => !off.has(name))
    .map((name) => {
      const { memory, cpus, pids } = limits[name];
      const processors = cpus === 1 ? '1 CPU' : `${cpus} CPUs`;
      return [`    ${name}`, `${memory / MiB} MiB`, processors, `${pids} processes`];
    });
  const table = formatTable(rows, [{}, { align: 'right' }]);
  return `Limits of the containers, ceilings and not shares:\n${table}`;
}
