import type { Problem } from '#contract/errors.ts';
import { serviceMeasure } from '../stage/measure.ts';
import type { Context } from '../stage/stage.ts';
import type { KernelMeasure } from './measure.ts';

export const modulesFile = 'etc/modprobe.d/90-landfall.conf';

/** Unused network protocols whose modules had local vulnerabilities. */
const modules = ['dccp', 'sctp', 'rds', 'tipc'];
const text = [
  '# Made by Landfall.',
  ...modules.map((name) => `install ${name} /bin/false`),
  '',
].join('\n');

/** Prevents the kernel from loading unused protocols. */
export const protocols: KernelMeasure = {
  needsKernel: 'its modules',
  ...serviceMeasure(() => ({
    files: [{ path: modulesFile, text }],
    summary: `disable the kernel modules ${modules.join(', ')}`,
  })),
  prove,
};

async function prove({ host }: Context): Promise<Problem[]> {
  const { stdout } = await host.run('modprobe', ['--showconfig']);
  const lines = stdout.split('\n').map((line) => line.trim());
  return modules
    .filter((name) => !lines.includes(`install ${name} /bin/false`))
    .map((name) => ({
      message: `the kernel can load ${name}`,
      hint: 'See: modprobe --showconfig',
    }));
}
