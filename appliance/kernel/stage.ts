import { LandfallError } from '#contract/errors.ts';
import type { Context, Stage } from '../stage/stage.ts';
import { coreDumps } from './core-dumps.ts';
import { journalCap } from './journal-cap.ts';
import type { Measure } from './measure.ts';
import { permissions } from './permissions.ts';
import { protocols } from './protocols.ts';
import { securityUpgrades } from './security-upgrades.ts';
import { swap } from './swap.ts';
import { sysctls } from './sysctls.ts';
import { timeKeeping } from './time-keeping.ts';

const measures: readonly Measure[] = [
  timeKeeping,
  // Ubuntu's collector writes a pattern of its own to the kernel as it stops: before the settings.
  coreDumps,
  sysctls,
  swap,
  securityUpgrades,
  journalCap,
  protocols,
  permissions,
];

/** The kernel's settings and those of the system around it. */
export const kernelStage: Stage = {
  name: 'kernel',
  title: 'kernel: settings, swap, time, security upgrades',
  check: async (context) => {
    const todo: string[] = [];
    for (const measure of possible(context)) todo.push(...(await measure.check(context)));
    return todo;
  },
  apply: async (context) => {
    // All of them: of a run that was cut off, a check sees what was written, not what it was for.
    for (const measure of possible(context)) await measure.apply(context);
  },
  prove: async (context) => {
    warnOfOmissions(context);
    const problems = [];
    for (const measure of possible(context)) problems.push(...(await measure.prove(context)));
    if (problems.length === 0) return;
    throw new LandfallError('HOST_SETTINGS', 'settings of the system did not take effect', {
      hint: 'Something else sets them, behind ours. Remove that, as said for each.',
      problems,
    });
  },
};

function possible({ server }: Context): Measure[] {
  return measures.filter(({ needsKernel }) => !needsKernel || server.container === undefined);
}

function warnOfOmissions({ server, report }: Context): void {
  if (server.container === undefined) return;
  const left = measures.map(({ needsKernel }) => needsKernel).filter((what) => what !== undefined);
  const text = `this is a container (${server.container}), whose kernel belongs to the machine around it; left to that: ${left.join(', ')}`;
  report.warn({ kind: 'kernel', subject: server.container, text });
}
