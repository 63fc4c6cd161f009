import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeGguf, modelOf } from '../../../../builder/models/gguf/describe-gguf.ts';
import type { Scalar } from '../../../../builder/models/gguf/values.ts';
import { workFolder } from '../../../simulator/work-folder.ts';
import { tinyGguf } from '../../../stand-ins/engine/tiny-gguf.ts';

const header = (values: Readonly<Record<string, Scalar>>, parameters = 8_190_735_360n) => ({
  metadata: new Map(Object.entries({ 'general.architecture': 'qwen3', ...values })),
  parameters,
});

describe('a GGUF file', () => {
  it('is described in the words of the engine', () => {
    expect(modelOf(header({ 'general.file_type': 15 }))).toEqual({
      architecture: 'qwen3',
      fileType: 'Q4_K_M',
      parameters: '8.2B',
    });
  });

  it('may not say how its weights are stored, or in a way of the future', () => {
    expect(modelOf(header({})).fileType).toBe('unknown');
    expect(modelOf(header({ 'general.file_type': 999 })).fileType).toBe('unknown');
  });

  it('is read from the disk', async () => {
    const path = join(await workFolder(), 'tiny.gguf');
    const bytes = tinyGguf();
    await writeFile(path, bytes);
    expect(await describeGguf(path, bytes.length)).toMatchObject({
      architecture: 'llama',
      fileType: 'F32',
    });
  });
});

describe('a GGUF file that the engine could not run', () => {
  it.each<[string, Readonly<Record<string, Scalar>>, string]>([
    ['names no model', { 'general.architecture': 7 }, 'does not say what model it is'],
    [
      'names a model with a line break',
      { 'general.architecture': 'a\nb' },
      'does not say what model it is',
    ],
    ['is an adapter', { 'general.type': 'adapter' }, 'an addition to a model'],
    ['is a projector', { 'general.architecture': 'clip' }, 'an addition to a model'],
    ['is a part', { 'split.count': 3 }, 'one part of several'],
  ])('is refused when it %s', (_, values, message) => {
    expect(() => modelOf(header(values))).toThrow(
      expect.objectContaining({
        code: 'MODEL_FORMAT',
        message: expect.stringContaining(message),
        hint: expect.any(String),
      }),
    );
  });

  it('is a whole one when it was never split', () => {
    expect(modelOf(header({ 'split.count': 1, 'general.type': 'model' }))).toBeDefined();
  });
});
