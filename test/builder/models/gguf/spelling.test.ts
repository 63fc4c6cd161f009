import { describe, expect, it } from 'vitest';
import { fileTypeName, parameterCount } from '../../../../builder/models/gguf/spelling.ts';

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
