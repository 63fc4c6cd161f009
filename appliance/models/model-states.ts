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

/** A model that the release names, and how it stands with it here. */
export interface ModelState {
  readonly model: ReleaseModel;
  readonly name: ModelName;
  /** Whether it lies in the engine's store as it is laid out there from a bundle, whole. */
  readonly stored: boolean;
  /** Whether the engine has it, whole. */
  readonly present: boolean;
  /** The digest of its manifest where the folder of the release has it, blobs and all. */
  readonly carried: Digest | undefined;
}

type Place = Pick<Context, 'host' | 'site' | 'release' | 'releaseFolder'>;

/** How it stands with the models that this server is to have. */
export async function chosenStates(
  context: Place & Pick<Context, 'server'>,
): Promise<ModelState[]> {
  const { models } = localModels(context.release, context.site, context.server);
  return await modelStates(context, models);
}

/**
 * How it stands with models of the release, all or some. Needs no engine that runs, and changes
 * nothing.
 */
export async function modelStates(
  { host, site, release, releaseFolder }: Place,
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

/** A model with its size, for people. */
export function describeModel({ name, size }: Pick<ReleaseModel, 'name' | 'size'>): string {
  return size === null ? name : `${name} (${formatBytes(size)})`;
}

/**
 * The parts of a model's name.
 * @throws LandfallError USAGE with what to write instead
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
  if (parseModelName(`${bare}:latest`))
    return `The tag belongs to it: ${bare}:latest, for example.`;
  return 'Write it as qwen3:8b, as me/model:tag, or with its registry as hf.co/me/model:tag.';
}

/** The files of models go when the disk has no room for them; the list of files stays. */
async function carriedManifest(
  { release, releaseFolder }: Pick<Place, 'release' | 'releaseFolder'>,
  model: ReleaseModel,
): Promise<Digest | undefined> {
  const { manifest } = model;
  if (manifest === null || !isDigest(manifest) || !carriesModel(release, model)) return undefined;
  return await access(join(releaseFolder, modelBlobPath(manifest))).then(
    () => manifest,
    () => undefined,
  );
}
