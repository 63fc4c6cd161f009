import { z } from 'zod';
import { writeText } from './files.ts';
import type { Host } from './host.ts';
import { readJsonFile } from './json-file.ts';

/** Disk decisions that preflight makes and later stages follow. */
export const diskPlanFile = 'var/lib/landfall/disk-plan.json';

const diskPlanSchema = z.strictObject({
  /** The version of the release. */
  release: z.string(),
  /** Whether the blobs of a full bundle are deleted once Docker has loaded the images. */
  dropBlobs: z.boolean(),
  /** Whether an update has space to keep the previous release. */
  keepPrevious: z.boolean(),
  /** Size of the swap file in bytes; 0 if the disk has no space for it. */
  swap: z.int().nonnegative(),
});
type DiskPlan = z.infer<typeof diskPlanSchema>;

/** Returns the plan for a release; undefined if there is none. */
export async function readDiskPlan(host: Host, release: string): Promise<DiskPlan | undefined> {
  const plan = await readJsonFile(host, diskPlanFile, diskPlanSchema);
  return plan?.release === release ? plan : undefined;
}

export async function writeDiskPlan(host: Host, plan: DiskPlan): Promise<void> {
  await writeText(host, diskPlanFile, `${JSON.stringify(plan)}\n`);
}
