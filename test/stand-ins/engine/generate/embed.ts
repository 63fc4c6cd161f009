import { capabilitiesOf } from '../models/capabilities.ts';
import type { ModelStore } from '../models/model-store.ts';
import { failure, json } from '../replies.ts';
import { findModel } from './generate.ts';

export interface EmbedRequest {
  readonly model?: string;
  readonly input?: string | readonly string[];
}

const dimensions = 64;

/**
 * `POST /api/embed`: returns one vector of length 1 for each text. The original runs the model;
 * here each word increments one of the numbers, so that texts with the same words are similar.
 */
export async function embed({ model: asked = '', input = [] }: EmbedRequest, store: ModelStore) {
  const model = await findModel(asked, store);
  if (!model) return failure(404, `model "${asked}" not found, try pulling it first`);
  if (!(await capabilitiesOf(model, store)).includes('embedding')) {
    return failure(501, 'This server does not support embeddings. Start it with `--embeddings`');
  }
  const texts = typeof input === 'string' ? [input] : input;
  return json({ model: asked, embeddings: texts.map(vectorOf) });
}

function vectorOf(text: string): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const hash = [...word].reduce(
      (sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0,
      7,
    );
    vector[hash % dimensions] = (vector[hash % dimensions] ?? 0) + 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
