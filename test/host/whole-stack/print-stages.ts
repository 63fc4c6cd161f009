import type { Status } from '../../../appliance/server/progress/status.ts';

/** Prints every stage once, when it has finished, with its duration in seconds. */
export function printStages(say: (line: string) => void): (status: Status) => void {
  const printed = new Set<string>();
  return ({ stages }) => {
    for (const { name, title, state, took = 0 } of stages) {
      if (printed.has(name) || !['applied', 'kept', 'failed'].includes(state)) continue;
      printed.add(name);
      const what = title.replace(`${name}: `, '');
      say(`    ${name.padEnd(14)}${what.padEnd(66)}${(took / 1000).toFixed(1).padStart(6)} s`);
    }
  };
}
