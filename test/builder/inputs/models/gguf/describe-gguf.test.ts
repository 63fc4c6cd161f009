import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  describeGguf,
  fileTypeName,
  modelOf,
  parameterCount,
} from '../../../../../builder/inputs/models/gguf/describe-gguf.ts';
import type { Scalar } from '../../../../../builder/inputs/models/gguf/read-header.ts';
import { workFolder } from '../../../../simulator/work-folder.ts';
import { tinyGguf } from '../../../../stand-ins/engine/gguf/tiny-gguf.ts';

const header = (values: Readonly<Record<string, Scalar>>, parameters = 8_190_735_360n) => ({
  metadata: new Map(Object.entries({ 'general.architecture': 'qwen3', ...values })),
  parameters,
});

describe('a GGUF file', () => {
  it('describes a GGUF file in the terms of Ollama', () => {
    expect(modelOf(header({ 'general.file_type': 15 }))).toEqual({
      architecture: 'qwen3',
      fileType: 'Q4_K_M',
      parameters: '8.2B',
    });
  });

  it('may have no storage format, or a future one', () => {
    expect(modelOf(header({})).fileType).toBe('unknown');
    expect(modelOf(header({ 'general.file_type': 999 })).fileType).toBe('unknown');
  });

  it('reads a GGUF file from disk', async () => {
    const path = join(await workFolder(), 'tiny.gguf');
    const bytes = tinyGguf();
    await writeFile(path, bytes);
    expect(await describeGguf(path, bytes.length)).toMatchObject({
      architecture: 'llama',
      fileType: 'F32',
    });
  });
});

describe('a GGUF file that Ollama cannot run', () => {
  it.each<[string, Readonly<Record<string, Scalar>>, string]>([
    ['names no model', { 'general.architecture': 7 }, 'no model architecture'],
    [
      'names a model with a line break',
      { 'general.architecture': 'a\nb' },
      'no model architecture',
    ],
    ['is an adapter', { 'general.type': 'adapter' }, 'an adapter or a projector'],
    ['is a projector', { 'general.architecture': 'clip' }, 'an adapter or a projector'],
    ['is a shard', { 'split.count': 3 }, 'one shard of a split model'],
  ])('rejects a GGUF file that Ollama cannot run when it %s', (_, values, message) => {
    expect(() => modelOf(header(values))).toThrow(
      expect.objectContaining({
        code: 'MODEL_FORMAT',
        message: expect.stringContaining(message),
        hint: expect.any(String),
      }),
    );
  });

  it('accepts a GGUF file as complete when it was never split', () => {
    expect(modelOf(header({ 'split.count': 1, 'general.type': 'model' }))).toBeDefined();
  });
});

describe('a number of parameters', () => {
  it.each<[bigint, string]>([
    [0n, '0'],
    [999n, '999'],
    [130_000n, '130K'],
    [134_515_008n, '134.52M'],
    [22_000_000n, '22M'],
    [8_190_735_360n, '8.2B'],
    [70_000_000_000n, '70B'],
    [671_026_419_200n, '671.0B'],
  ])('%d is called %s', (number, name) => expect(parameterCount(number)).toBe(name));
});

describe('a storage format', () => {
  it.each([
    [0, 'F32'],
    [7, 'Q8_0'],
    [15, 'Q4_K_M'],
    [32, 'BF16'],
    [4, 'unknown'],
    [-1, 'unknown'],
    ['15', 'unknown'],
    [undefined, 'unknown'],
  ])('%s is called %s', (number, name) => expect(fileTypeName(number)).toBe(name));
});
