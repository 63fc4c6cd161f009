import { describe, expect, it } from 'vitest';
import { selectComponents, selectModels } from '../../../../builder/bundle/archive/selection.ts';
import { type Work, worksOf } from '../../../../builder/bundle/notice/works.ts';
import type { Appliance } from '../../../../builder/inputs/config/appliance.ts';
import { lockFor, someAppliance } from '../../inputs/lock/fixture.ts';

function worksIn(changes: Partial<Appliance>, kind: 'thin' | 'full' = 'full'): Work[] {
  const appliance = someAppliance(changes);
  const lock = lockFor(appliance);
  const { components } = selectComponents(appliance, lock, new Set());
  return worksOf(appliance, {
    ...{ kind, components },
    models: selectModels(appliance, lock, kind, new Set()),
  });
}

function imageWork(image: string): Work | undefined {
  return worksIn({ components: { ui: { image, optional: false } } })[0];
}

describe('the license of an image', () => {
  it('finds the license of an image by its repository, with the source of the version', () => {
    expect(imageWork('nginx:1.30.7-alpine')).toMatchObject({
      ref: 'image:ui',
      license: { spdx: 'BSD-2-Clause' },
      version: '1.30.7',
      source: 'https://github.com/nginx/nginx/tree/release-1.30.7',
    });
  });

  it('finds the license of an image that is named only by its digest', () => {
    expect(imageWork(`nginx@sha256:${'a'.repeat(64)}`)).toMatchObject({
      license: { spdx: 'BSD-2-Clause' },
      source: 'https://github.com/nginx/nginx',
    });
  });

  it.each([
    ['of another registry', 'registry.example.com/open-webui/open-webui:v0.12.4'],
    ['of another owner', 'ghcr.io/team/open-webui:v0.12.4'],
    ['in Docker', 'docker-daemon:nginx:1.30.7'],
    ['named like a property of every object', 'docker.io/library/constructor:1'],
  ])('returns no license for an image %s', (_what, image) => {
    expect(imageWork(image)?.license).toBeUndefined();
  });

  it('prefers the declared license of an image to a known license', () => {
    const license = { id: 'LicenseRef-Bought', source: 'https://example.com/x' };
    const components = { lobe: { image: 'team/lobe:1', optional: true, license } };
    expect(worksIn({ components })[0]).toMatchObject({
      license: { spdx: 'LicenseRef-Bought', redistribution: 'declared' },
      source: 'https://example.com/x',
    });
  });
});

describe('the proxy client', () => {
  const clients = { 'sing-box': { version: '1.14.4', urls: ['https://x.example/{arch}'] } };

  it.each(['thin', 'full'] as const)(
    'lists the proxy client as carried by a %s bundle, with its license',
    (kind) => {
      expect(worksIn({ clients }, kind).find(({ name }) => name === 'sing-box')).toMatchObject({
        carried: true,
        license: { spdx: 'GPL-3.0-or-later', redistribution: 'source', texts: ['gpl-3.0'] },
        source: 'https://github.com/SagerNet/sing-box/tree/v1.14.4',
      });
    },
  );

  it('omits the proxy client from the works of a release without it', () => {
    expect(worksIn({}).map(({ name }) => name)).not.toContain('sing-box');
  });
});

describe('the license of a model', () => {
  const modelWork = (model: Appliance['models'][number]) => worksIn({ models: [model] }).at(-1);

  it('finds the license of a model by its name in the library of Ollama', () => {
    for (const name of ['qwen3:8b', 'library/Qwen3:4b']) {
      expect(modelWork({ name })).toMatchObject({ license: { spdx: 'Apache-2.0' } });
    }
  });

  it.each([
    ['of another owner', { name: 'team/qwen3:8b' }],
    ['of another registry', { name: 'hf.co/library/qwen3:8b' }],
    ['that is a GGUF file', { name: 'qwen3:8b', gguf: './mine.gguf' }],
  ])('returns no license for a model %s', (_what, model) => {
    expect(modelWork(model)?.license).toBeUndefined();
  });
});

describe('the works in a bundle', () => {
  const components: Appliance['components'] = {
    engine: { image: 'ollama/ollama:0.35.1', optional: false },
    relay: { image: 'node:24.22.3-alpine3.24', optional: true, program: 'relay' },
  };
  const carried = (kind: 'thin' | 'full') =>
    worksIn({ components, models: [{ name: 'qwen3:8b' }] }, kind)
      .filter((work) => work.carried)
      .map(({ ref }) => ref);

  it('lists all works as carried by a full bundle', () => {
    const runtime = ['runtime:node', 'runtime:docker-compose'];
    expect(carried('full')).toEqual([
      ...['image:engine', 'image:relay:base', ...runtime, 'model:qwen3:8b'],
    ]);
  });

  it('lists only Node and the base of the relay as carried by a thin bundle', () => {
    expect(carried('thin')).toEqual(['image:relay:base', 'runtime:node']);
  });
});
