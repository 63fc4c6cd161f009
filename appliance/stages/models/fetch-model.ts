import { lstat, readdir, unlink } from 'node:fs/promises';
import { type ModelName, shortModelName } from '#contract/bundle/model-name.ts';
import { happenedWithin } from '#contract/clock.ts';
import {
  atMirror,
  isMirrored,
  type ModelMirror,
  parseModelMirror,
} from '#contract/site/model-mirror.ts';
import type { Site } from '#contract/site/site.ts';
import { FolderHandle } from '#files/folder-handle.ts';
import { isMissing } from '#files/open-regular.ts';
import { fromFirstSource } from '../../server/host/first-source.ts';
import type { Host } from '../../server/host/host.ts';
import type { PullPace } from '../../server/host/pull/retry-pull.ts';
import { OllamaApi } from '../../server/ollama/ollama-api.ts';
import { needEngineStore } from '../../server/ollama/store.ts';
import type { Context } from '../../server/stage/stage.ts';
import { needRoomForPull } from './disk-space.ts';
import { type ExpectedModel, type PullSource, pullModel } from './pull-model.ts';

/**
 * Pulls a model from the first source that succeeds. Ollama keeps downloaded parts after a failure, and
 * the next call resumes.
 * @throws LandfallError MODEL_FAILED, DISK_FULL, STACK_UNHEALTHY of the last source
 */
export async function fetchModel(
  { host, site, report }: Pick<Context, 'host' | 'site' | 'report'>,
  sources: readonly PullSource[],
  expected: ExpectedModel,
  pace: PullPace = {},
): Promise<void> {
  const store = await needEngineStore(host);
  await dropBrokenParts(host, store);
  const [first] = sources;
  if (first && expected.size !== null)
    await needRoomForPull(host, store, first.name, expected.size);
  const ollama = OllamaApi.of(site);
  await fromFirstSource(sources, (source) =>
    host.outside.measure(() => pullModel(ollama, source, expected, report, pace)),
  );
}

/** Returns the sources of a model: the mirror of the site, then the model's own registry. */
export function sourcesOf(name: ModelName, { mirrors }: Pick<Site, 'mirrors'>): PullSource[] {
  return pullSources(name, parseModelMirror(mirrors.models ?? ''));
}

/** Ollama's files of an unfinished blob: its data, and a description of each part. */
const partial = /^(sha256-[0-9a-f]{64})-partial(-\d+)?$/;

/** Younger files may belong to a running pull. Milliseconds. */
const justBegun = 5000;

/**
 * Removes unfinished blobs with an empty part description. A full disk leaves such files, and every
 * later pull of the model fails with "EOF" (server/download.go, 0.32).
 * @param store the folder of Ollama's models, relative to the root folder
 */
export async function dropBrokenParts(host: Host, store: string): Promise<void> {
  const found = await FolderHandle.open(host.path(store))
    .then(async (top) => {
      await using models = top;
      return await models.openFolder('blobs');
    })
    // The first pull creates the folder. Root does not follow a link.
    .catch(() => undefined);
  if (!found) return;
  await using folder = found;
  const names = await readdir(folder.path());
  const broken = new Set<string>();
  for (const name of names) {
    const [, blob, part] = partial.exec(name) ?? [];
    if (!blob || part === undefined) continue;
    const file = await lstat(folder.path(name)).catch(() => undefined);
    if (file?.size === 0 && !happenedWithin(justBegun, file.mtimeMs)) broken.add(blob);
  }
  for (const name of names) {
    if (!broken.has(partial.exec(name)?.[1] ?? '')) continue;
    await unlink(folder.path(name)).catch((error) => {
      if (!isMissing(error)) throw error;
    });
  }
}

/** Returns the own registry of a model as a source. */
export function homeOf(name: ModelName): PullSource {
  const short = shortModelName(name);
  return { name: short, remote: short, host: name.host, insecure: false };
}

/** Returns a mirror as a source; undefined for a model of another registry than Ollama's. */
export function sourceAt(name: ModelName, mirror: ModelMirror): PullSource | undefined {
  if (!isMirrored(name)) return undefined;
  return {
    name: shortModelName(name),
    remote: shortModelName(atMirror(name, mirror)),
    host: mirror.host,
    insecure: mirror.insecure,
  };
}

/** Returns the sources to try in order, the mirror of the site first. */
export function pullSources(name: ModelName, mirror: ModelMirror | undefined): PullSource[] {
  const mirrored = mirror && sourceAt(name, mirror);
  return mirrored ? [mirrored, homeOf(name)] : [homeOf(name)];
}
