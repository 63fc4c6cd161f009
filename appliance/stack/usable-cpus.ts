import { z } from 'zod';
import type { Host } from '../host/host.ts';

const infoSchema = z.object({ CpuCfsPeriod: z.boolean(), CpuCfsQuota: z.boolean() });

/**
 * Returns the number of CPUs for limits: the CPUs of the server, or 0 (no limit) when the kernel does
 * not support CPU limits, as in some container-based virtual servers. Docker refuses to create a
 * container with an unsupported limit.
 */
export async function usableCpus(host: Host, cpus: number): Promise<number> {
  const { stdout } = await host.run('docker', ['info', '--format', '{{json .}}']);
  const { CpuCfsPeriod, CpuCfsQuota } = infoSchema.parse(JSON.parse(stdout));
  return CpuCfsPeriod && CpuCfsQuota ? cpus : 0;
}
