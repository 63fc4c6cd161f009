import { z } from 'zod';
import { readText, writeText } from './files.ts';
import type { Host } from './host.ts';

/** What was decided about the disk before a release was installed, for the stages that fill it. */
export const diskPlanFile = 'var/lib/landfall/disk-plan.json';

const diskPlanSchema = z.strictObject({
  /** The version of the release. */
  release: z.string(),
  /** Whether the blobs of a full bundle go once the engine has its images. */
  dropBlobs: z.boolean(),
  /** Whether an update has room to leave the release before it in place. */
  keepPrevious: z.boolean(),
  /** Bytes for a swap file; 0 where the disk has none to spare. */
  swap: z.int().nonnegative(),
});
type DiskPlan = z.infer<typeof diskPlanSchema>;

/** The plan that was made for a release; nothing when it has not been judged on this server. */
export async function readDiskPlan(host: Host, release: string): Promise<DiskPlan | undefined> {
  try {
    const plan = diskPlanSchema.parse(JSON.parse((await readText(host, diskPlanFile)) ?? ''));
    return plan.release === release ? plan : undefined;
  } catch {
    // A damaged plan is made again.
    return undefined;
  }
}

export async function writeDiskPlan(host: Host, plan: DiskPlan): Promise<void> {
  await writeText(host, diskPlanFile, `${JSON.stringify(plan)}\n`);
}
