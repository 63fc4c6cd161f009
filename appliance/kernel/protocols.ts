import type { Problem } from '#contract/errors.ts';
import { isFile, writeText } from '../host/files.ts';
import type { Context } from '../stage/stage.ts';
import type { Measure } from './measure.ts';

export const modulesFile = 'etc/modprobe.d/90-landfall.conf';

/** Network protocols that no server here speaks, and whose modules had holes that any user reached. */
const modules = ['dccp', 'sctp', 'rds', 'tipc'];
const text = [
  '# Made by Landfall.',
  ...modules.map((name) => `install ${name} /bin/false`),
  '',
].join('\n');

/** Keeps the kernel from loading protocols that nobody uses. */
export const protocols: Measure = { needsKernel: 'its modules', check, apply, prove };

async function check({ host }: Context): Promise<string[]> {
  return (await isFile(host, modulesFile, text))
    ? []
    : [`load no kernel modules for ${modules.join(', ')}`];
}

async function apply({ host }: Context): Promise<void> {
  await writeText(host, modulesFile, text);
}

async function prove({ host }: Context): Promise<Problem[]> {
  const { stdout } = await host.run('modprobe', ['--showconfig']);
  const lines = stdout.split('\n').map((line) => line.trim());
  return modules
    .filter((name) => !lines.includes(`install ${name} /bin/false`))
    .map((name) => ({
      message: `the kernel may load ${name}`,
      hint: 'See: modprobe --showconfig',
    }));
}
