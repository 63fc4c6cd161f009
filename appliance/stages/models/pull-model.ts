import type { ReleaseModel } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { inLanguage } from '#contract/text/language.ts';
import { TransferError } from '#http/transfer-error.ts';
import { failureText } from '../../server/host/pull/pull-line.ts';
import { type PullAttempt, type PullPace, retryPull } from '../../server/host/pull/retry-pull.ts';
import { ollama as daemon, findListed, type OllamaApi } from '../../server/ollama/ollama-api.ts';
import type { Reporter } from '../../server/stage/reporter.ts';
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

/** The expected digest and size of a model; null if unknown. */
export type ExpectedModel = Pick<ReleaseModel, 'manifest' | 'size'>;

/**
 * Pulls a model from one source; see {@link retryPull}. Afterwards Ollama lists the model under its short name with the locked digest, or the call fails.
 * @throws LandfallError MODEL_FAILED, DISK_FULL, STACK_UNHEALTHY
 */
export async function pullModel(
  ollama: OllamaApi,
  source: PullSource,
  expected: ExpectedModel,
  report: Reporter,
  pace?: PullPace,
): Promise<void> {
  const { name, remote, host } = source;
  const before = await digestOf(ollama, remote);
  report.say(inLanguage({ en: `pulling ${name} from ${host}`, zh: `从 ${host} 拉取 ${name}` }));
  const pull = { name, size: expected.size, stalled: pullStalled(source) };
  await retryPull(pull, (attempt) => pullBlobs(ollama, source, attempt), report, pace);
  await checkPulled(ollama, source, expected, before);
  if (remote === name) return;
  await ollama.copy(remote, name);
  await ollama.remove(remote);
}

/**
 * Verifies the digest. A model with another digest is removed, unless it was installed before.
 */
async function checkPulled(
  ollama: OllamaApi,
  { name, remote, host }: PullSource,
  { manifest }: ExpectedModel,
  before: string | undefined,
): Promise<void> {
  const found = await digestOf(ollama, remote);
  if (found === undefined) {
    throw new LandfallError('MODEL_FAILED', `Ollama does not list ${name} after pulling it`, {
      hint: {
        en: 'Check the logs: sudo docker logs --tail 50 landfall-engine',
        zh: '查看日志：sudo docker logs --tail 50 landfall-engine',
      },
    });
  }
  if (manifest === null || found === manifest) return;
  if (found !== before) await ollama.remove(remote);
  throw new LandfallError('MODEL_FAILED', `digest mismatch of ${name} from ${host}`, {
    hint: {
      en: 'Use a newer release, a full bundle, or a mirror with the old version: the tag was probably updated.',
      zh: '换用更新的版本、完整发布包，或保留旧版本的镜像源：这个标签可能已更新。',
    },
    problems: [{ message: `expected ${manifest}` }, { message: `received ${found}` }],
  });
}

async function digestOf(ollama: OllamaApi, name: string): Promise<string | undefined> {
  return findListed(await ollama.list(), name)?.digest;
}

/** @throws TransferError MODEL_FAILED, DISK_FULL, STACK_UNHEALTHY */
async function pullBlobs(
  ollama: OllamaApi,
  source: PullSource,
  { signal, progress, renew, show }: PullAttempt,
): Promise<void> {
  let phase = 'fetching';
  let last = '';
  for await (const line of ollama.pull(source.remote, source.insecure, signal)) {
    if ('error' in line) throw pullFailure(source, line.error);
    const now = line.status.startsWith('pulling') ? 'fetching' : 'checking';
    if (progress.hear(line) || now !== phase) renew(now);
    phase = now;
    if (line.digest !== undefined) show();
    last = line.status;
  }
  if (last !== 'success') throw daemon.truncated();
}

function pullStalled({ name, host }: PullSource): TransferError {
  return new TransferError('MODEL_FAILED', `the pull of ${name} from ${host} stalled`, {
    hint: {
      en: 'Check the route, or set mirrors.models to a mirror. Downloaded parts are kept.',
      zh: '检查线路，或把 mirrors.models 设为镜像源。已下载的部分会保留。',
    },
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
  const { code = 'MODEL_FAILED', cause, hint, retriable = false } = reason;
  return new TransferError(code, `cannot pull ${name} from ${host}: ${cause}`, {
    hint,
    problems: [{ message: `Ollama reports: ${failureText(words)}` }],
    transient: retriable,
  });
}
