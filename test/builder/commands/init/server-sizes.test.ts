import { expect, it } from 'vitest';
import { localModels } from '#contract/sizes/local-models.ts';
import { formatBytes } from '#contract/text/amount.ts';
import { referenceLock } from '../../../../builder/commands/init/files.ts';
import type { Prompts } from '../../../../builder/commands/init/prompts.ts';
import { releaseQuestions } from '../../../../builder/commands/init/questions/release.ts';
import { downloadSize, serverSizes } from '../../../../builder/commands/init/server-sizes.ts';

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

it('counts the chat model and the one for documents, as the README does', async () => {
  const { models } = await referenceLock();
  const sizes = Object.fromEntries(
    Object.entries(models).map(([name, { size }]) => [name, Number(size)]),
  );
  const downloads = (['4', '6', '8', '12'] as const).map((memory) =>
    formatBytes(downloadSize(memory, sizes)),
  );
  expect(downloads).toEqual(['1.4 GB', '2.5 GB', '3.1 GB', '5.9 GB']);
});

it('says on which servers only documents in English are searchable', async () => {
  const labels: Record<string, string> = {};
  const prompts = {
    select: async (_message: string, choices: readonly { value: string; label: string }[]) => {
      for (const { value, label } of choices) labels[value] = label;
      return '4';
    },
  } as unknown as Prompts;
  const facts = { packaged: undefined, modelSizes: {}, refuseExisting: async () => {} };
  const question = releaseQuestions(facts).find(({ name }) => name === 'memory');
  await question?.ask(prompts, {}, {});
  expect(labels['4']).toContain('documents in English only');
  expect(labels['8']).toContain('documents in any language');
});
