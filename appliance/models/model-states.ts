import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { modelBlobPath } from '#contract/bundle/bundle-paths.ts';
import { carriesModel } from '#contract/bundle/model-files.ts';
import { type ModelName, parseModelName } from '#contract/bundle/model-name.ts';
import type { ReleaseModel } from '#contract/bundle/release.ts';
import { LandfallError } from '#contract/errors.ts';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { type Digest, isDigest } from '#contract/trust/digest.ts';
import { modelPresence } from '../ollama/model-presence.ts';
import { localModels } from '../stack/local-models.ts';
import type { Context } from '../stage/stage.ts';

/** The state of a model of the release on this server. */
export interface ModelState {
  readonly model: ReleaseModel;
  readonly name: ModelName;
  /** Whether it is in Ollama's store in the layout of an import, complete. */
  readonly stored: boolean;
  /** Whether it is installed, complete. */
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

/**
 * Returns the states of models of the release. Read-only; Ollama need not be running.
 */
export async function modelStates(
  { host, site, release, releaseFolder }: StateContext,
  models: readonly ReleaseModel[] = release.models,
): Promise<ModelState[]> {
  const named = models.map((model) => ({ model, name: readModelName(model.name) }));
  const sought = named.map(({ model: { manifest }, name }) => ({ name, manifest }));
  const presence = await modelPresence(host, site, sought);
  return await Promise.all(
    named.map(async ({ model, name }, index) => ({
      model,
      name,
      stored: presence[index]?.stored === true,
      present: presence[index]?.present === true,
      carried: await carriedManifest({ release, releaseFolder }, model),
    })),
  );
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
  throw new LandfallError('USAGE', `${JSON.stringify(text)} is not the name of a model`, {
    hint: insteadOf(text),
  });
}

function insteadOf(text: string): string {
  const bare = text.replace(/^https?:\/\//, '');
  if (parseModelName(bare)) return `Write it without a scheme: ${bare}`;
  if (parseModelName(`${bare}:latest`)) return `Add a tag, such as ${bare}:latest.`;
  return 'Write it as qwen3:8b, as me/model:tag, or with its registry as hf.co/me/model:tag.';
}

/** Checks the disk too, because bundled models may have been removed to free space. */
async function carriedManifest(
  { release, releaseFolder }: Pick<StateContext, 'release' | 'releaseFolder'>,
  model: ReleaseModel,
): Promise<Digest | undefined> {
  const { manifest } = model;
  if (manifest === null || !isDigest(manifest) || !carriesModel(release, model)) return undefined;
  return await access(join(releaseFolder, modelBlobPath(manifest))).then(
    () => manifest,
    () => undefined,
  );
}
