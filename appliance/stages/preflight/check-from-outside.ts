import type { Problem } from '#contract/errors.ts';
import { diskNeeds, sum } from '#contract/sizes/disk-needs.ts';
import { silentReporter } from '../../server/stage/reporter.ts';
import type { Context } from '../../server/stage/stage.ts';
import { checkComponents, checkMachine, checkModels } from './check-machine.ts';
import { checkForeignSoftware } from './foreign-software.ts';
import { checkKernel } from './kernel-abilities.ts';
import { planDisk } from './plan-disk.ts';
import { checkPorts } from './ports.ts';
import { imageStoreFor } from './public.ts';
import { checkTunnel } from './tunnel.ts';

/**
 * Returns the problems that a computer can find before anything is sent to the server: the checks of
 * preflight that need only programs and few files of it. Clock and names are checked on the server.
 */
export async function checkFromOutside(context: Omit<Context, 'report'>): Promise<Problem[]> {
  const whole: Context = { ...context, report: silentReporter };
  const { server, release } = context;
  const problems = await Promise.all([
    checkMachine(server, release),
    checkPorts(whole),
    checkTunnel(whole),
    checkComponents(whole),
    checkModels(whole),
    checkForeignSoftware(whole),
    checkKernel(whole),
    checkSpace(whole),
  ]);
  return problems.flat();
}

/** The server has one disk here; preflight looks at each of them. */
async function checkSpace(context: Context): Promise<Problem[]> {
  const { release, site, server } = context;
  const store = await imageStoreFor(context);
  const unpacked = sum(release.files.map(({ size }) => size));
  const { refusal } = planDisk(diskNeeds(release, site, server, store), server.freeDisk - unpacked);
  return refusal === undefined ? [] : [refusal];
}
