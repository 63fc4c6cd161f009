import type { ReleaseModel } from './release.ts';

/** Quantised to four bits, the usual form, a parameter takes this many bytes with all around it. */
const bytesPerParameter = 0.65;
/** The specification's sample model (SPEC 8), for names that do not tell. */
const usual = 4.7e9;

/**
 * How many bytes a model takes on disk and, a little more, in memory: as the release says, or about
 * so, told from the name, where nobody had measured the model when the release was made.
 */
export function modelSize({ name, size }: Pick<ReleaseModel, 'name' | 'size'>): number {
  return size ?? guessedSize(name);
}

/** @param name such as `qwen3:8b` or `llama3.2:1b-instruct-q4_K_M` */
function guessedSize(name: string): number {
  const found = /[:-](?:(\d+)x)?(\d+(?:\.\d+)?)([bm])(?![a-z0-9])/i.exec(name);
  if (!found) return usual;
  const [, experts = '1', count = '0', unit = 'b'] = found;
  const parameters = Number(experts) * Number(count) * (unit.toLowerCase() === 'b' ? 1e9 : 1e6);
  return Math.round(parameters * bytesPerParameter);
}
