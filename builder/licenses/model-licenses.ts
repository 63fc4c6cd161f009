import { defaultModelHost, parseModelName } from '#contract/bundle/model-name.ts';
import type { License } from './license.ts';

const condition =
  'Copies include the license. The manifest of the model contains the license as a layer.';

function apacheModel(product: string, copyright: string, repository: string): License {
  return {
    product,
    spdx: 'Apache-2.0',
    copyright,
    repository,
    texts: ['apache-2.0'],
    redistribution: 'notice',
    condition,
  };
}

const alibaba = 'Copyright 2024 Alibaba Cloud';

/** Licenses of models in Ollama's library, by name without the tag. */
const modelLicenses: Readonly<Record<string, License>> = {
  qwen3: apacheModel('Qwen3', alibaba, 'https://huggingface.co/Qwen'),
  'qwen3-embedding': apacheModel('Qwen3 Embedding', alibaba, 'https://huggingface.co/Qwen'),
  'all-minilm': apacheModel(
    'all-MiniLM-L6-v2',
    'Copyright the authors of Sentence Transformers',
    'https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2',
  ),
};

/** Returns the license of a model of Ollama's library; undefined for others. */
export function licenseOfModel(name: string): License | undefined {
  const parsed = parseModelName(name);
  if (parsed?.host !== defaultModelHost || parsed.namespace !== 'library') return undefined;
  const model = parsed.model.toLowerCase();
  return Object.hasOwn(modelLicenses, model) ? modelLicenses[model] : undefined;
}
