import { expect, it } from 'vitest';
import { localModels } from '../../../appliance/stack/local-models.ts';
import { referenceLock } from '../../../builder/init/appliance-template.ts';
import { serverSizes } from '../../../builder/init/server-sizes.ts';

it('proposes the model that a server of each size selects', async () => {
  const { models } = await referenceLock();
  const chats = Object.entries(models)
    .filter(([name]) => /^qwen3:/.test(name))
    .map(([name, { size }]) => ({
      name,
      role: 'chat' as const,
      manifest: null,
      size: Number(size),
    }));
  for (const { memory, cpus, chat } of Object.values(serverSizes)) {
    const server = { memory: memory * 1e9, cpus };
    expect(localModels({ models: chats }, { models: undefined }, server).chat?.name).toBe(chat);
  }
});
