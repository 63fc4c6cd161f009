import { z } from 'zod';
import type { Host } from '../host/host.ts';

const infoSchema = z.object({ CpuCfsPeriod: z.boolean(), CpuCfsQuota: z.boolean() });

/**
 * How many processors limits may speak of: those of the server, or 0 (no limit) where its kernel
 * cannot limit them, as in some containers that are sold as servers. An engine refuses to create a
 * container with a limit that it cannot set.
 */
export async function usableCpus(host: Host, cpus: number): Promise<number> {
  const { stdout } = await host.run('docker', ['info', '--format', '{{json .}}']);
  const { CpuCfsPeriod, CpuCfsQuota } = infoSchema.parse(JSON.parse(stdout));
  return CpuCfsPeriod && CpuCfsQuota ? cpus : 0;
}
