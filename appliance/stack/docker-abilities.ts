import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import type { Host } from '../host/host.ts';

/**
 * Returns whether containers can use an NVIDIA GPU: the driver works, and the container toolkit is
 * installed. Without the toolkit Docker refuses to start Ollama with a GPU.
 */
export async function findGpu(host: Host): Promise<'none' | 'nvidia'> {
  const [driver, toolkit] = await Promise.all([
    answers(host, 'nvidia-smi', ['--list-gpus']),
    answers(host, 'nvidia-container-cli', ['info']),
  ]);
  return driver && toolkit ? 'nvidia' : 'none';
}

async function answers(host: Host, program: string, args: readonly string[]): Promise<boolean> {
  try {
    return await host.succeeds(program, args);
  } catch (error) {
    if (error instanceof LandfallError && error.code === 'TOOL_MISSING') return false;
    throw error;
  }
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
