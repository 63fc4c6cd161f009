import { modelSize } from '#contract/bundle/model-files.ts';
import type { Release } from '#contract/bundle/release.ts';
import type { Site } from '#contract/site/site.ts';
import { diskFor } from '#contract/sizes/disk-needs.ts';
import type { ServerSize } from '#contract/sizes/limits.ts';
import { describeHostedOnly, localModels } from '#contract/sizes/local-models.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { say } from '#contract/text/language.ts';
import type { Row } from './describe-contacts.ts';

/** Memory of servers in GB, as in docs/start/sizes.md. */
export const serverMemories = [2, 4, 6, 8, 12, 16] as const;

/** Servers with this memory and more have four CPUs, in GB. */
const memoryOfFourCpus = 8;
/** Disks are described in steps of these bytes. */
const diskStep = 5e9;

function sizeOf(memory: number): ServerSize {
  return { memory: memory * 1e9, cpus: memory < memoryOfFourCpus ? 2 : 4 };
}

/** Returns the models that a server of this memory in GB gets from a release, with their sizes. */
export function modelsText(
  release: Pick<Release, 'models'>,
  site: Parameters<typeof localModels>[1],
  memory: number,
): string {
  const chosen = localModels(release, site, sizeOf(memory));
  const hostedOnly = describeHostedOnly(chosen);
  return [
    ...(hostedOnly ? [hostedOnly] : []),
    ...chosen.models.map((model) => `${model.name} (${formatBytes(modelSize(model))})`),
  ].join(say(', ', '、'));
}

/**
 * Returns which models a server gets, and the disk that it needs. Without a release, their sizes are unknown.
 * @param memory of the server, in GB; undefined: the user-data does not say it
 */
export function modelRows(site: Site, release: Release | undefined, memory?: number): Row[] {
  const label = say('models', '模型');
  if (!release) return [[label, namesOf(site)]];
  const memories = memory === undefined ? serverMemories : [memory];
  const bySize = Map.groupBy(memories, (each) => {
    const models = modelsText(release, site, each);
    const disk = Math.ceil(diskFor(release, site, sizeOf(each)) / diskStep) * 5;
    return say(`${models}; about ${disk} GB of disk`, `${models}；磁盘约需 ${disk} GB`);
  });
  return [...bySize].map(([text, sizes]): Row => {
    const given = say(sizes.join(', ').replace(/, (?=\d+$)/, ' or '), sizes.join('、'));
    return [label, say(`with ${given} GB of memory: ${text}`, `内存 ${given} GB：${text}`)];
  });
}

function namesOf({ models }: Site): string {
  if (models === undefined) {
    return say('the largest of the release that fits into memory', '版本中内存放得下的最大的模型');
  }
  return models.length === 0
    ? say('none: hosted models only', '没有：只用云端模型')
    : models.join(say(', ', '、'));
}
