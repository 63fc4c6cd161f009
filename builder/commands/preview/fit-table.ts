import { referenceModels } from '#contract/bundle/reference-models.ts';
import type { ReleaseModel } from '#contract/bundle/release.ts';
import { fitOf } from '#contract/sizes/model-fit.ts';
import type { Language } from '#contract/text/language.ts';
import { referenceLock } from '../init/files.ts';

/** Memory of servers, in GB. */
const memories = [4, 6, 8, 12, 16, 24, 32, 64] as const;

/**
 * Returns a Markdown table of the largest context of each chat model of the reference release, by the memory
 * of the server.
 */
export async function fitTable(language: Language): Promise<string> {
  const lock = await referenceLock();
  const models = Object.entries(referenceModels).map(
    ([name, { role }]): ReleaseModel => ({
      ...{ name, role, manifest: null, size: Number(lock.models[name]?.size) },
    }),
  );
  const heads = { en: ['model', 'cache'], zh: ['模型', '缓存格式'] }[language];
  const lines = models
    .filter(({ role }) => role === 'chat')
    .flatMap(({ name }) =>
      (['f16', 'q8_0'] as const).map((context_cache) => {
        const cells = memories.map((memory) => {
          const server = { memory: memory * 1e9, cpus: 4 };
          const fit = fitOf(models, server, 4096, { context_cache }).find(
            (each) => each.name === name,
          );
          return fit?.largest_context?.toLocaleString('en') ?? '–';
        });
        return `| \`${name}\` | ${context_cache} | ${cells.join(' | ')} |`;
      }),
    );
  return [
    `| ${[...heads, ...memories.map((memory) => `${memory} GB`)].join(' | ')} |`,
    `|---|---|${memories.map(() => '---:|').join('')}`,
    ...lines,
  ].join('\n');
}
