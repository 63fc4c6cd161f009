import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { referenceModels, shapeOf } from '#contract/bundle/reference-models.ts';
import { referenceLock } from '../../../../../builder/commands/init/files.ts';

const appliance = new URL('../../../../../builder/inputs/appliance.yaml', import.meta.url);

describe('the models of the reference release', () => {
  it('equal those of the lock, each with its digest and size', async () => {
    const { models } = await referenceLock();
    expect(Object.keys(models).sort()).toEqual(Object.keys(referenceModels).sort());
    for (const locked of Object.values(models)) {
      expect(locked).toMatchObject({ size: expect.any(Number) });
      expect('manifest' in locked && locked.manifest).toMatch(/^sha256:/);
    }
  });

  it('equal those of appliance.yaml, in its order and with its roles', () => {
    const { models } = parse(readFileSync(appliance, 'utf8')) as {
      models: (string | { name: string; role?: string })[];
    };
    const listed = models.map((each) =>
      typeof each === 'string' ? [each, 'chat'] : [each.name, each.role ?? 'chat'],
    );
    expect(listed).toEqual(Object.entries(referenceModels).map(([name, { role }]) => [name, role]));
  });

  it('find the shape under every spelling of their name', () => {
    const { shape } = referenceModels['qwen3:8b'];
    expect(shapeOf({ name: 'registry.ollama.ai/library/qwen3:8b' })).toEqual(shape);
    expect(shapeOf({ name: 'qwen3:14b' })).toBeUndefined();
  });
});
