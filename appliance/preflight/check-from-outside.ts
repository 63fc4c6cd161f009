import type { Problem } from '#contract/errors.ts';
import { silentReporter } from '../stage/reporter.ts';
import type { Context } from '../stage/stage.ts';
import { judgeMachine } from './check-machine.ts';
import { judgeModels } from './check-models.ts';
import { judgeComponents } from './components.ts';
import { diskNeeds, sum } from './disk-needs.ts';
import { judgeForeignSoftware } from './foreign-software.ts';
import { imageStoreFor } from './image-store.ts';
import { judgeKernel } from './kernel-abilities.ts';
import { planDisk } from './plan-disk.ts';
import { judgePorts } from './ports.ts';

/**
 * Returns the problems that a computer can find before anything is sent to the server: the checks of
 * preflight that need only programs and few files of it. Clock and names are checked on the server.
 */
export async function judgeFromOutside(context: Omit<Context, 'report'>): Promise<Problem[]> {
  const whole: Context = { ...context, report: silentReporter };
  const { server, release } = context;
  const problems = await Promise.all([
    judgeMachine(server, release),
    judgePorts(whole),
    judgeComponents(whole),
    judgeModels(whole),
    judgeForeignSoftware(whole),
    judgeKernel(whole),
    judgeSpace(whole),
  ]);
  return problems.flat();
}

/** The server has one disk here; preflight looks at each of them. */
async function judgeSpace(context: Context): Promise<Problem[]> {
  const { release, site, server } = context;
  const store = await imageStoreFor(context);
  const unpacked = sum(release.files.map(({ size }) => size));
  const { refusal } = planDisk(diskNeeds(release, site, server, store), server.freeDisk - unpacked);
  return refusal === undefined ? [] : [refusal];
}
