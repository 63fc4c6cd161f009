import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { modelBlobPath } from '#contract/bundle/bundle-paths.ts';
import { carriesModel } from '#contract/bundle/model-files.ts';
import {
  isSameModel,
  type ModelName,
  parseModelName,
  shortModelName,
} from '#contract/bundle/model-name.ts';
import type { ReleaseModel } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { isEngineNode } from '#contract/site/enabled.ts';
import { localModels } from '#contract/sizes/local-models.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { inLanguage } from '#contract/text/language.ts';
import { type Digest, isDigest } from '#contract/trust/digest.ts';
import { readRegular } from '#files/open-regular.ts';
import type { Host } from '../../server/host/host.ts';
import {
  type EngineModel,
  findListed,
  isListed,
  OllamaApi,
} from '../../server/ollama/ollama-api.ts';
import {
  blobsOfModel,
  engineStore,
  hasBlob,
  hasBlobs,
  maxManifest,
  storedModel,
} from '../../server/ollama/store.ts';
import type { Context } from '../../server/stage/stage.ts';

/** The state of a model of the release on this server. */
export interface ModelState {
  readonly model: ReleaseModel;
  readonly name: ModelName;
  /** Whether it is in Ollama's store in the layout of an import, complete. */
  readonly stored: boolean;
  /**
   * Whether Ollama lists the model and all blobs exist. Ollama's own list decides, because the store
   * layout of pulled models depends on the version. While Ollama does not run, equals `stored`.
   */
  readonly present: boolean;
  /** The digest of its manifest if the folder of the release contains the model. */
  readonly carried: Digest | undefined;
}

type StateContext = Pick<Context, 'host' | 'site' | 'release' | 'releaseFolder'>;

/** Returns the states of the models for this server. */
export async function chosenStates(
  context: StateContext & Pick<Context, 'server'>,
): Promise<ModelState[]> {
  const { models } = localModels(context.release, context.site, context.server);
  return await modelStates(context, models);
}

/** Returns the states of models of the release. Read-only; Ollama need not be running. */
export async function modelStates(
  context: StateContext,
  models: readonly ReleaseModel[] = context.release.models,
): Promise<ModelState[]> {
  const { host, site } = context;
  const store = models.length > 0 ? await engineStore(host) : undefined;
  const listed =
    store === undefined
      ? undefined
      : await host.outside.measure(() => OllamaApi.of(site).listIfRunning());
  return await Promise.all(
    models.map(async (model) => {
      const name = readModelName(model.name);
      const carried = await carriedManifest(context, model, store);
      const presence = store
        ? await presenceOf(host, store, listed, { name, model })
        : { stored: false, present: false };
      return { model, name, carried, ...presence };
    }),
  );
}

/** Looks for a model; a `manifest` of null accepts any model of its name. */
async function presenceOf(
  host: Host,
  store: string,
  listed: readonly EngineModel[] | undefined,
  { name, model: { manifest } }: Pick<ModelState, 'name' | 'model'>,
): Promise<Pick<ModelState, 'stored' | 'present'>> {
  const found = await storedModel(host, store, name);
  const stored = found !== undefined && (manifest === null || found === manifest);
  if (!listed) return { stored, present: stored };
  const known = findListed(listed, shortModelName(name));
  if (!known || !isListed(listed, name, manifest)) return { stored, present: false };
  return { stored, present: await hasBlobs(host, store, name, known.digest) };
}

/** Formats a model with its size. */
export function describeModel({ name, size }: Pick<ReleaseModel, 'name' | 'size'>): string {
  return size === null ? name : `${name} (${formatBytes(size)})`;
}

/**
 * Parses the name of a model.
 * @throws LandfallError USAGE with the expected format
 */
export function readModelName(text: string): ModelName {
  const name = parseModelName(text);
  if (name) return name;
  throw new LandfallError(
    'USAGE',
    inLanguage({
      en: `${JSON.stringify(text)} is not the name of a model`,
      zh: `${JSON.stringify(text)} 不是模型的名称`,
    }),
    {
      hint: insteadOf(text),
    },
  );
}

function insteadOf(text: string): string {
  const bare = text.replace(/^https?:\/\//, '');
  if (parseModelName(bare)) return `Write it without a scheme: ${bare}`;
  if (parseModelName(`${bare}:latest`)) return `Add a tag, such as ${bare}:latest.`;
  return 'Write it as qwen3:8b, as me/model:tag, or with its registry as hf.co/me/model:tag.';
}

/**
 * Checks the disk too: bundled models may have been removed to free space, and an update leaves out the
 * blobs that Ollama has.
 */
async function carriedManifest(
  { host, release, releaseFolder }: StateContext,
  model: ReleaseModel,
  store: string | undefined,
): Promise<Digest | undefined> {
  const { manifest } = model;
  if (manifest === null || !isDigest(manifest) || !carriesModel(release, model)) return undefined;
  const inFolder = (digest: Digest) => join(releaseFolder, modelBlobPath(digest));
  const bytes = await readRegular(inFolder(manifest), maxManifest, { follow: false });
  if (!bytes) return undefined;
  for (const blob of blobsOfModel(bytes) ?? []) {
    const isHere = existsSync(inFolder(blob.digest));
    if (!isHere && !(store && (await hasBlob(host, store, blob)))) return undefined;
  }
  return manifest;
}

/**
 * Reports whether the chat has no model at all: the server is too small for one of the release, none was
 * pulled by hand, and the site has neither a provider nor other servers with Ollama. False while Ollama does not run.
 */
export async function lacksModel({
  host,
  site,
  release,
  server,
}: Pick<Context, 'host' | 'site' | 'release' | 'server'>): Promise<boolean> {
  const hasOthers = Object.keys(site.providers).length > 0 || site.engines !== undefined;
  if (isEngineNode(site) || hasOthers) return false;
  if (localModels(release, site, server).chat !== undefined) return false;
  const listed = await host.outside.measure(() => OllamaApi.of(site).listIfRunning());
  const embeddings = release.models.filter(({ role }) => role === 'embedding');
  return (
    listed?.every(({ name }) => embeddings.some((model) => isSameModel(model.name, name))) ?? false
  );
}
