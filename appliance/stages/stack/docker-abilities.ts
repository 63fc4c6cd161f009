import { z } from 'zod';
import { anyCode, type Host } from '../../server/host/host.ts';

/**
 * Returns whether containers can use an NVIDIA GPU: the driver works, and the container toolkit is
 * installed. Without the toolkit Docker refuses to start Ollama with a GPU.
 */
export async function findGpu(host: Host): Promise<'none' | 'nvidia'> {
  const [driver, toolkit] = await Promise.all([
    host.runIfInstalled('nvidia-smi', ['--list-gpus'], { accept: anyCode }),
    host.runIfInstalled('nvidia-container-cli', ['info'], { accept: anyCode }),
  ]);
  return driver?.code === 0 && toolkit?.code === 0 ? 'nvidia' : 'none';
}

/** API version of Docker 25. Compose checks the API version too. */
const [knownFromMajor, knownFromMinor] = [1, 44];

/**
 * Returns whether Docker supports `start_interval` of health checks. Without support, Compose refuses
 * to start a stack that uses it.
 * @throws LandfallError COMMAND_FAILED when Docker does not respond
 */
export async function supportsStartInterval(host: Host): Promise<boolean> {
  const { stdout } = await host.run('docker', ['version', '--format', '{{.Server.APIVersion}}']);
  const [major = 0, minor = 0] = stdout.split('.').map(Number);
  return major > knownFromMajor || (major === knownFromMajor && minor >= knownFromMinor);
}

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
