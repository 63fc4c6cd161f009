import type { ReleaseModel } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { type RetryOptions, withRetry } from '#http/retry.ts';
import { PullProgress } from '../host/pull/pull-progress.ts';
import { findListed } from '../ollama/models.ts';
import type { Reporter } from '../stage/reporter.ts';
import type { EngineApi } from './engine-api.ts';
import { pullBlobs, type StallLimits } from './pull-blobs.ts';
import type { PullSource } from './pull-source.ts';

/** What tests do not want to wait for. */
export interface PullPace extends Pick<RetryOptions, 'attempts' | 'sleep'> {
  readonly limits?: StallLimits;
}

/** What a pull is told of a model: its digest where the release has locked one, its bytes if known. */
export type Wanted = Pick<ReleaseModel, 'manifest' | 'size'>;

/**
 * Has the engine pull a model from one place, again and again while it fails for reasons that pass
 * and as long as bytes come. In the end the engine lists it under its plain name, with the digest
 * that the release has locked, or not at all.
 * @throws LandfallError MODEL_FAILED, DISK_FULL, STACK_UNHEALTHY
 */
export async function pullModel(
  engine: EngineApi,
  source: PullSource,
  wanted: Wanted,
  report: Reporter,
  { limits, ...pace }: PullPace = {},
): Promise<void> {
  const { name, remote, host } = source;
  const progress = new PullProgress(wanted.size);
  const before = await digestOf(engine, remote);
  report.say(`pulling ${name} from ${host}`);
  await withRetry(`pulling ${name}`, () => pullBlobs(engine, source, progress, report, limits), {
    note: (line) => report.say(line),
    progress: () => progress.most,
    ...pace,
  });
  await judge(engine, source, wanted, before);
  if (remote === name) return;
  await engine.copy(remote, name);
  await engine.remove(remote);
}

/**
 * A model other than the locked one goes again, unless it was there before: then a person wanted it.
 */
async function judge(
  engine: EngineApi,
  { name, remote, host }: PullSource,
  { manifest }: Wanted,
  before: string | undefined,
): Promise<void> {
  const found = await digestOf(engine, remote);
  if (found === undefined) {
    throw new LandfallError('MODEL_FAILED', `the engine has pulled ${name} and does not list it`, {
      hint: 'See: sudo docker logs --tail 50 landfall-engine',
    });
  }
  if (manifest === null || found === manifest) return;
  if (found !== before) await engine.remove(remote);
  throw new LandfallError('MODEL_FAILED', `${name} is another model now at ${host}`, {
    hint: 'Its tag was moved since the release was made, or the place gives something else. Take a newer release, a full bundle, or a mirror that has the old one.',
    problems: [{ message: `the release names ${manifest}` }, { message: `${host} gives ${found}` }],
  });
}

async function digestOf(engine: EngineApi, name: string): Promise<string | undefined> {
  return findListed(await engine.list(), name)?.digest;
}
