import { readFile } from 'node:fs/promises';
import type { ModelStore, StoredModel } from './model-store.ts';

/** Model families that produce embeddings and no text, as used in the tests. */
const embedding = /bert/;

const templateLayer = 'application/vnd.ollama.image.template';

/**
 * Returns the capabilities of a model (Ollama, `Model.Capabilities`). The original reads the
 * metadata of the weights; this one uses the family in the model's configuration.
 */
export async function capabilitiesOf(
  { manifest }: StoredModel,
  store: ModelStore,
): Promise<readonly string[]> {
  const config = await readFile(store.blobPath(manifest.config.digest), 'utf8').catch(() => '{}');
  const { model_family: family = '' } = JSON.parse(config) as { model_family?: string };
  if (embedding.test(family)) return ['embedding'];
  return (await templateOf(manifest, store)).includes('.Tools')
    ? ['completion', 'tools']
    : ['completion'];
}

/** Returns the template of a model, which names the tools of a request if it supports them. */
async function templateOf({ layers }: StoredModel['manifest'], store: ModelStore): Promise<string> {
  const layer = layers.find(({ mediaType }) => mediaType === templateLayer);
  return layer ? await readFile(store.blobPath(layer.digest), 'utf8') : '';
}
