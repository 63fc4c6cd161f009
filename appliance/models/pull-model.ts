import type { ReleaseModel } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { type RetryOptions, withRetry } from '#http/retry.ts';
import { TransferError } from '#http/transfer-error.ts';
import { failureText } from '../host/pull/pull-line.ts';
import { PullProgress, StallTimeout } from '../host/pull/pull-progress.ts';
import { truncated } from '../ollama/exchange.ts';
import { findListed } from '../ollama/models.ts';
import type { Reporter } from '../stage/reporter.ts';
import type { OllamaApi, PullLine } from './ollama-api.ts';
import { pullReasons } from './pull-reasons.ts';

/** A source of a model. */
export interface PullSource {
  /** The local name of the model. */
  readonly name: string;
  /** The name to request: a mirror changes it. */
  readonly remote: string;
  readonly host: string;
  /** Whether the source uses plain HTTP. */
  readonly insecure: boolean;
}

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

/** Stall timeouts while bytes are fetched and while Ollama verifies them. Milliseconds. */
interface StallLimits {
  readonly fetching: number;
  readonly checking: number;
}

/**
 * Ollama itself retries a part that stalls for 30 s, six times. The verification of 40 GB on a slow
 * disk takes minutes without progress lines.
 */
const stallLimits: StallLimits = { fetching: 5 * 60_000, checking: 30 * 60_000 };

/**
 * Makes one attempt at a pull. Ollama keeps downloaded parts, and the next attempt resumes. There is a
 * stall timeout, but no limit on the total time.
 * @throws TransferError MODEL_FAILED, DISK_FULL, STACK_UNHEALTHY
 */
async function pullBlobs(
  ollama: OllamaApi,
  source: PullSource,
  progress: PullProgress,
  report: Pick<Reporter, 'progress'>,
  limits: StallLimits = stallLimits,
): Promise<void> {
  const stall = new StallTimeout();
  const stalled = pullStalled(source);
  let phase: keyof StallLimits = 'fetching';
  let last = '';
  stall.renew(limits[phase], stalled);
  try {
    for await (const line of ollama.pull(source.remote, source.insecure, stall.signal)) {
      if ('error' in line) throw pullFailure(source, line.error);
      const moved = progress.hear(line);
      if (moved || phase !== phaseOf(line)) {
        phase = phaseOf(line);
        stall.renew(limits[phase], stalled);
      }
      if (line.digest !== undefined) report.progress(amountOf(progress));
      last = line.status;
    }
  } finally {
    stall.end();
  }
  if (last === 'success') return;
  throw truncated();
}

function phaseOf({ status }: Exclude<PullLine, { error: string }>): keyof StallLimits {
  return status.startsWith('pulling') ? 'fetching' : 'checking';
}

function amountOf({ done, total }: PullProgress) {
  return { done, total, unit: 'bytes' } as const;
}

function pullStalled({ name, host }: PullSource): TransferError {
  return new TransferError('MODEL_FAILED', `the pull of ${name} from ${host} stalled`, {
    hint: 'Check the route, or set mirrors.models to a mirror. Downloaded parts are kept.',
    transient: true,
  });
}

const unknown = {
  code: undefined,
  cause: 'unknown error',
  hint: 'Check the network. Downloaded parts are kept.',
  retriable: true,
};

/** Characters. */
const maxJudged = 2000;

/** Returns the error for a message of Ollama; the message itself is in `problems`. */
export function pullFailure({ name, host }: PullSource, words: string): TransferError {
  // Limited, because the text may come from a registry and matching is not linear.
  const checked = words.slice(0, maxJudged);
  const reason = pullReasons.find((each) => each.words.test(checked)) ?? unknown;
  const { code = 'MODEL_FAILED', cause, hint, retriable } = reason;
  return new TransferError(code, `cannot pull ${name} from ${host}: ${cause}`, {
    hint,
    problems: [{ message: `Ollama reports: ${failureText(words)}` }],
    transient: retriable,
  });
}
