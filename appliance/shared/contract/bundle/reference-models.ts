import { isSameModel } from './model-name.ts';
import type { ModelShape } from './model-shape.ts';

/** A model of the reference release (decision 95). */
interface ReferenceModel {
  readonly role: 'chat' | 'embedding';
  /** Of `config.json` of the publisher, read on 30 November 2026, because the release carries no GGUF file. */
  readonly shape: ModelShape;
}

/** Numbers per token of Qwen 3: keys and values of 8 heads with 128 numbers in each layer. */
const qwen3 = (layers: number, context: number): ModelShape => ({
  ...{ values: layers * 2 * 8 * 128, context },
});

/** The models of the reference release by name. `builder/inputs/appliance.yaml` has the same names, for users. */
export const referenceModels = {
  'qwen3:8b': { role: 'chat', shape: qwen3(36, 40_960) },
  'qwen3:4b-instruct': { role: 'chat', shape: qwen3(36, 262_144) },
  'qwen3:1.7b': { role: 'chat', shape: qwen3(28, 40_960) },
  // An encoder keeps nothing.
  'all-minilm:22m': { role: 'embedding', shape: { values: 0, context: 512 } },
  'qwen3-embedding:0.6b': { role: 'embedding', shape: qwen3(28, 32_768) },
} as const satisfies Readonly<Record<string, ReferenceModel>>;

export type ReferenceModelName = keyof typeof referenceModels;

/** Returns the shape of a model: that of its header, or the published one of a model of the reference release. */
export function shapeOf({
  name,
  shape,
}: {
  readonly name: string;
  readonly shape?: ModelShape | undefined;
}): ModelShape | undefined {
  if (shape) return shape;
  return Object.entries(referenceModels).find(([known]) => isSameModel(name, known))?.[1].shape;
}
