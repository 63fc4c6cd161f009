import type { ReferenceModelName } from '#contract/bundle/reference-models.ts';

/** Sizes of servers that `landfall init` offers, as in the table of docs/start/sizes.md. */
export const serverSizes = {
  '2': { memory: 2, cpus: 2, chat: undefined },
  '4': { memory: 4, cpus: 2, chat: 'qwen3:1.7b' },
  '6': { memory: 6, cpus: 2, chat: 'qwen3:4b-instruct' },
  '8': { memory: 8, cpus: 4, chat: 'qwen3:4b-instruct' },
  '12': { memory: 12, cpus: 4, chat: 'qwen3:8b' },
} as const satisfies Readonly<
  Record<string, { memory: number; cpus: number; chat: ReferenceModelName | undefined }>
>;

/** Memory of the server in GB; `any` keeps every model, for servers of several sizes. */
export type ServerMemory = keyof typeof serverSizes | 'any';

export const serverMemories = [...Object.keys(serverSizes), 'any'] as readonly ServerMemory[];

/** Make documents searchable: on a server of any size, and in any language on larger ones. */
const [embedding, multilingualEmbedding] = [
  'all-minilm:22m',
  'qwen3-embedding:0.6b',
] as const satisfies readonly ReferenceModelName[];

/** Returns the bytes of the models that a server of this size gets: its chat model and one for documents. */
export function downloadSize(
  memory: Exclude<ServerMemory, 'any'>,
  sizes: Readonly<Record<string, number>>,
): number {
  const { chat } = serverSizes[memory];
  const models = [chat, searchesAnyLanguage(memory) ? multilingualEmbedding : embedding];
  return models.reduce((sum, model) => sum + (model ? (sizes[model] ?? 0) : 0), 0);
}

/** Returns whether documents are searchable in any language, and not in English only. */
export function searchesAnyLanguage(memory: Exclude<ServerMemory, 'any'>): boolean {
  return serverSizes[memory].cpus >= 4;
}

/** Returns whether a release for a server of this size needs a model of the reference appliance. */
export function isModelFor(memory: ServerMemory, model: string): boolean {
  if (memory === 'any' || model === embedding) return true;
  if (model === multilingualEmbedding) return searchesAnyLanguage(memory);
  return model === serverSizes[memory].chat;
}
