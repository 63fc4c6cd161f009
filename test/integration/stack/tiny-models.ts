import type { ReleaseModel } from '#contract/bundle/release.ts';
import type { LocalModels } from '#contract/sizes/local-models.ts';
import { digestOf } from '#contract/trust/digest.ts';
import { putTinyModel, tinyModel } from '../../stand-ins/engine/models/put-tiny-model.ts';

const families = { chat: 'llama', embedding: 'bert' } as const;

/** A model as a release locks it: Ollama's model digest is that of its manifest. */
function locked<Role extends ReleaseModel['role']>(name: string, role: Role) {
  const { manifest, blobs } = tinyModel(1, families[role]);
  const size = [...blobs.values()].reduce((sum, { length }) => sum + length, 0);
  return { name, role, manifest: digestOf(manifest), digest: digestOf(manifest), size };
}

const chat = locked('tiny:1b', 'chat');
const embedding = locked('tiny-embedding:1b', 'embedding');

/** The models of the release for which the stack is rendered, checked by the smoke tests. */
export const tinyModels = {
  models: [chat, embedding],
  ...{ chat, embedding, hostedOnly: undefined },
} satisfies LocalModels;

/** Writes the models to a store of Ollama, as the server does with those of a bundle. */
export async function putTinyModels(folder: string): Promise<void> {
  for (const { name, role } of tinyModels.models) {
    await putTinyModel(folder, name, 1, families[role]);
  }
}
