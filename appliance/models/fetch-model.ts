import type { ModelName } from '#contract/bundle/model-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { parseModelMirror } from '#contract/site/model-mirror.ts';
import type { Site } from '#contract/site/site.ts';
import { needEngineStore } from '../ollama/store.ts';
import type { Context } from '../stage/stage.ts';
import { dropBrokenParts } from './drop-broken-parts.ts';
import { EngineApi } from './engine-api.ts';
import { type PullPace, pullModel, type Wanted } from './pull-model.ts';
import { type PullSource, pullSources } from './pull-source.ts';
import { needRoomForPull } from './room.ts';

/**
 * Has the engine fetch a model from the first place that has it. What was fetched stays with the
 * engine where that fails, and the next call goes on from there.
 * @throws LandfallError MODEL_FAILED, DISK_FULL, STACK_UNHEALTHY of the last place
 */
export async function fetchModel(
  { host, site, report }: Pick<Context, 'host' | 'site' | 'report'>,
  sources: readonly PullSource[],
  wanted: Wanted,
  pace: PullPace = {},
): Promise<void> {
  const store = await needEngineStore(host);
  await dropBrokenParts(host, store);
  const [first] = sources;
  if (first && wanted.size !== null) await needRoomForPull(host, store, first.name, wanted.size);
  const engine = EngineApi.of(site);
  const failures: LandfallError[] = [];
  for (const source of sources) {
    try {
      return await host.outside.measure(() => pullModel(engine, source, wanted, report, pace));
    } catch (error) {
      if (!(error instanceof LandfallError)) throw error;
      failures.push(error);
      // The next place sends as many bytes to the same disk.
      if (error.code === 'DISK_FULL') break;
    }
  }
  throw together(failures);
}

/** Where a site has a model fetched from: its mirror, then the model's own registry. */
export function sourcesOf(name: ModelName, { mirrors }: Pick<Site, 'mirrors'>): PullSource[] {
  return pullSources(name, parseModelMirror(mirrors.models ?? ''));
}

/** The last failure, which the reader can act on, and what the places before had said. */
function together(failures: readonly LandfallError[]): unknown {
  const [last, ...before] = failures.toReversed();
  if (!last || before.length === 0) return last;
  return new LandfallError(last.code, last.message, {
    hint: last.hint,
    retriable: last.retriable,
    problems: [...last.problems, ...before.map(({ message, hint }) => ({ message, hint }))],
    cause: last,
  });
}
