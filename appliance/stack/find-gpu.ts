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
