import type { ReleaseModel } from '#contract/bundle/release.ts';
import { digestOf } from '#contract/trust/digest.ts';
import type { LocalModels } from '../../../appliance/stack/local-models.ts';
import { putTinyModel, tinyModel } from '../../stand-ins/engine/put-tiny-model.ts';

const families = { chat: 'llama', embedding: 'bert' } as const;

/** A model as a release locks it: Ollama's digest of a model is the one of its manifest. */
function locked<Role extends ReleaseModel['role']>(name: string, role: Role) {
  const { manifest, blobs } = tinyModel(1, families[role]);
  const size = [...blobs.values()].reduce((sum, { length }) => sum + length, 0);
  return { name, role, manifest: digestOf(manifest), digest: digestOf(manifest), size };
}

const chat = locked('tiny:1b', 'chat');
const embedding = locked('tiny-embedding:1b', 'embedding');

/** The models of the release that the stack is rendered for, and that smoke tests look for. */
export const tinyModels = {
  models: [chat, embedding],
  ...{ chat, embedding, hostedOnly: undefined },
} satisfies LocalModels;

/** Lays them out in a store of Ollama, as the server does with the models of a bundle. */
export async function putTinyModels(folder: string): Promise<void> {
  for (const { name, role } of tinyModels.models) {
    await putTinyModel(folder, name, 1, families[role]);
  }
}
