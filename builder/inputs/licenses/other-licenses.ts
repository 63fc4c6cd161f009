import { defaultModelHost, parseModelName } from '#contract/bundle/model-name.ts';
import type { License } from './license.ts';

/** The license of Node for the server, a package of npm. */
export const nodeLicense: License = {
  product: 'Node',
  spdx: 'MIT',
  copyright: 'Copyright Node.js contributors',
  repository: 'https://github.com/nodejs/node',
  versionPath: 'tree/v{version}',
  url: 'https://github.com/nodejs/node/blob/main/LICENSE',
  texts: ['mit'],
  redistribution: 'notice',
  condition: 'The file LICENSE in its package also contains the licenses of the libraries inside.',
};

/** The license of Docker's Compose plugin. */
export const composePluginLicense: License = {
  product: 'Docker Compose',
  spdx: 'Apache-2.0',
  copyright: 'Copyright 2020 Docker Compose authors',
  repository: 'https://github.com/docker/compose',
  versionPath: 'tree/v{version}',
  url: 'https://github.com/docker/compose/blob/main/LICENSE',
  texts: ['apache-2.0'],
  redistribution: 'notice',
  condition: 'Copies include the license and NOTICE of the project.',
};

/** The license of the proxy client. Its releases are built with uTLS (BSD-3-Clause) and gVisor. */
export const singBoxLicense: License = {
  product: 'sing-box',
  spdx: 'GPL-3.0-or-later',
  copyright: 'Copyright (C) 2022 nekohasekai <contact-sagernet@sekai.icu>',
  repository: 'https://github.com/SagerNet/sing-box',
  versionPath: 'tree/v{version}',
  url: 'https://github.com/SagerNet/sing-box/blob/main/LICENSE',
  texts: ['gpl-3.0'],
  redistribution: 'source',
  condition:
    'The publisher of a bundle must offer the source. A derivative work must not have the name sing-box without consent.',
};

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
