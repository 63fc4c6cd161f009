import type { Host } from '../host/host.ts';
import { readStatus } from '../progress/status.ts';
import { Journal } from '../stage/journal.ts';
import { stageNames } from '../stage/stage.ts';
import type { Report } from './report.ts';

/**
 * Returns the duration of each stage. After an interrupted first boot there are several runs; the run
 * that last applied the stage counts, not later runs that had nothing to do.
 */
export async function stageTimes(host: Host): Promise<Pick<Report, 'stages' | 'took' | 'own'>> {
  const entries = await new Journal(host).entries();
  const titles = new Map((await readStatus(host))?.stages.map(({ name, title }) => [name, title]));
  const stages = stageNames.flatMap((name): Report['stages'] => {
    const ended = entries.filter(
      ({ stage, took, alone }) => stage === name && took !== undefined && !alone,
    );
    const entry =
      ended.findLast(({ event }) => event === 'applied') ??
      ended.findLast(({ event }) => event === 'kept');
    if (!entry || (entry.event !== 'applied' && entry.event !== 'kept')) return [];
    const { event: outcome, took = 0, own = 0 } = entry;
    return [{ name, title: titles.get(name) ?? name, outcome, took, own }];
  });
  const sum = (key: 'took' | 'own') => stages.reduce((total, stage) => total + stage[key], 0);
  return { stages, took: sum('took'), own: sum('own') };
}
