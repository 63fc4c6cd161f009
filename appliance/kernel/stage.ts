import { LandfallError } from '#contract/errors.ts';
import { checkMeasures } from '../stage/measure.ts';
import type { Context, Stage } from '../stage/stage.ts';
import { coreDumps } from './core-dumps.ts';
import { journalCap } from './journal-cap.ts';
import type { KernelMeasure } from './measure.ts';
import { permissions } from './permissions.ts';
import { protocols } from './protocols.ts';
import { securityUpgrades } from './security-upgrades.ts';
import { swap } from './swap.ts';
import { sysctls } from './sysctls.ts';
import { timeKeeping } from './time-keeping.ts';
import { timeZone } from './time-zone.ts';

const measures: readonly KernelMeasure[] = [
  timeKeeping,
  timeZone,
  // Before sysctls: Ubuntu's collector resets core_pattern when it stops.
  coreDumps,
  sysctls,
  swap,
  securityUpgrades,
  journalCap,
  protocols,
  permissions,
];

/** Applies settings of the kernel and the system. */
export const kernelStage: Stage = {
  name: 'kernel',
  title: 'kernel: settings, swap, time, security upgrades',
  check: async (context) => await checkMeasures(possible(context), context),
  apply: async (context) => {
    // All measures: after an interruption, a check may find the file written but not applied.
    for (const measure of possible(context)) await measure.apply(context);
  },
  prove: async (context) => {
    warnOfOmissions(context);
    const problems = [];
    for (const measure of possible(context)) problems.push(...(await measure.prove(context)));
    if (problems.length === 0) return;
    throw new LandfallError('HOST_SETTINGS', 'system settings are not in effect', {
      hint: 'Remove the settings that override ours, as described for each.',
      problems,
    });
  },
};

function possible({ server }: Context): KernelMeasure[] {
  return measures.filter(({ needsKernel }) => !needsKernel || server.container === undefined);
}

function warnOfOmissions({ server, report }: Context): void {
  if (server.container === undefined) return;
  const left = measures.map(({ needsKernel }) => needsKernel).filter((what) => what !== undefined);
  const text = `this is a container (${server.container}); set these on its host: ${left.join(', ')}`;
  report.warn({ kind: 'kernel', subject: server.container, text });
}
