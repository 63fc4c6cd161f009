import type { ReleaseModel } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { type RetryOptions, withRetry } from '#http/retry.ts';
import { PullProgress } from '../host/pull/pull-progress.ts';
import { findListed } from '../ollama/models.ts';
import type { Reporter } from '../stage/reporter.ts';
import type { OllamaApi } from './ollama-api.ts';
import { pullBlobs, type StallLimits } from './pull-blobs.ts';
import type { PullSource } from './pull-source.ts';

/** Timing of a pull; tests shorten it. */
export interface PullPace extends Pick<RetryOptions, 'attempts' | 'sleep'> {
  readonly limits?: StallLimits;
}

/** The expected digest and size of a model; null if unknown. */
export type Wanted = Pick<ReleaseModel, 'manifest' | 'size'>;

/**
 * Pulls a model from one source. Retries temporary errors, and continues as long as bytes arrive.
 * Afterwards Ollama lists the model under its short name with the locked digest, or the call fails.
 * @throws LandfallError MODEL_FAILED, DISK_FULL, STACK_UNHEALTHY
 */
export async function pullModel(
  ollama: OllamaApi,
  source: PullSource,
  wanted: Wanted,
  report: Reporter,
  { limits, ...pace }: PullPace = {},
): Promise<void> {
  const { name, remote, host } = source;
  const progress = new PullProgress(wanted.size);
  const before = await digestOf(ollama, remote);
  report.say(`pulling ${name} from ${host}`);
  await withRetry(`pulling ${name}`, () => pullBlobs(ollama, source, progress, report, limits), {
    note: (line) => report.say(line),
    progress: () => progress.most,
    ...pace,
  });
  await judge(ollama, source, wanted, before);
  if (remote === name) return;
  await ollama.copy(remote, name);
  await ollama.remove(remote);
}

/**
 * Verifies the digest. A model with another digest is removed, unless it was installed before.
 */
async function judge(
  ollama: OllamaApi,
  { name, remote, host }: PullSource,
  { manifest }: Wanted,
  before: string | undefined,
): Promise<void> {
  const found = await digestOf(ollama, remote);
  if (found === undefined) {
    throw new LandfallError('MODEL_FAILED', `Ollama does not list ${name} after pulling it`, {
      hint: 'Check the logs: sudo docker logs --tail 50 landfall-engine',
    });
  }
  if (manifest === null || found === manifest) return;
  if (found !== before) await ollama.remove(remote);
  throw new LandfallError('MODEL_FAILED', `digest mismatch of ${name} from ${host}`, {
    hint: 'Use a newer release, a full bundle, or a mirror with the old version: the tag was probably updated.',
    problems: [{ message: `expected ${manifest}` }, { message: `received ${found}` }],
  });
}

async function digestOf(ollama: OllamaApi, name: string): Promise<string | undefined> {
  return findListed(await ollama.list(), name)?.digest;
}
