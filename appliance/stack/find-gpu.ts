import { LandfallError } from '#contract/errors.ts';
import type { Host } from '../host/host.ts';

/**
 * Whether containers can use an NVIDIA GPU here: the driver answers, and its container toolkit is
 * there. Without the toolkit Docker would refuse to start the engine.
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
