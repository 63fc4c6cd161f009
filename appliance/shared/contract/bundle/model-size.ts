import type { ReleaseModel } from './release.ts';

/** Bytes per parameter with the usual 4-bit quantization, including overhead. */
const bytesPerParameter = 0.65;
/** Size of the specification's sample model (SPEC 8), for names without a size. */
const defaultBytes = 4.7e9;

/**
 * Returns the size of a model on disk in bytes; it needs slightly more memory. Estimates the size
 * from the name if the release has no measured value.
 */
export function modelSize({ name, size }: Pick<ReleaseModel, 'name' | 'size'>): number {
  return size ?? guessedSize(name);
}

/** Estimates a size. @param name such as `qwen3:8b` or `llama3.2:1b-instruct-q4_K_M` */
function guessedSize(name: string): number {
  const found = /[:-](?:(\d+)x)?(\d+(?:\.\d+)?)([bm])(?![a-z0-9])/i.exec(name);
  if (!found) return defaultBytes;
  const [, experts = '1', count = '0', unit = 'b'] = found;
  const parameters = Number(experts) * Number(count) * (unit.toLowerCase() === 'b' ? 1e9 : 1e6);
  return Math.round(parameters * bytesPerParameter);
}
