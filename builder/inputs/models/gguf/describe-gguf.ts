import { open } from 'node:fs/promises';
import type { ModelShape } from '#contract/bundle/model-shape.ts';
import { LandfallError } from '#contract/errors.ts';
import { headerShape } from './header-shape.ts';
import { type GgufHeader, readGgufHeader } from './read-header.ts';

/** A model in a GGUF file, in the terms of Ollama's configuration. */
export interface GgufModel {
  /** Model architecture: `llama`, `qwen3`. */
  readonly architecture: string;
  /** `Q4_K_M`. */
  readonly fileType: string;
  /** `8.2B`. */
  readonly parameters: string;
  /** Undefined if the header does not say it. */
  readonly shape?: ModelShape | undefined;
}

/**
 * Reads the description of a model from the header of a GGUF file.
 * @param size size of the file in bytes
 * @throws LandfallError MODEL_FORMAT unless the file is a complete language model
 */
export async function describeGguf(path: string, size: number): Promise<GgufModel> {
  await using file = await open(path, 'r');
  const header = await readGgufHeader(async (position, length) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  }, size);
  return modelOf(header);
}

/** Extracts the description of a model from a header. @throws LandfallError MODEL_FORMAT */
export function modelOf(header: GgufHeader): GgufModel {
  const { metadata, parameters } = header;
  const architecture = metadata.get('general.architecture');
  if (typeof architecture !== 'string' || !/^[\w.-]{1,64}$/.test(architecture)) {
    throw unusable(
      'has no model architecture',
      'Use the file with the weights; this one may contain only a vocabulary.',
    );
  }
  if (Number(metadata.get('split.count') ?? 1) > 1) {
    throw unusable(
      'is one shard of a split model',
      'Merge the shards: llama-gguf-split --merge <first shard> <output file>',
    );
  }
  const type = metadata.get('general.type') ?? 'model';
  if (type !== 'model' || architecture === 'clip') {
    throw unusable(
      'is an adapter or a projector, not a model',
      'Use the file of the model itself; adapters and projectors cannot run alone.',
    );
  }
  return {
    architecture,
    fileType: fileTypeName(metadata.get('general.file_type')),
    parameters: parameterCount(parameters),
    shape: headerShape(header, architecture),
  };
}

function unusable(reason: string, hint: string): LandfallError {
  return new LandfallError('MODEL_FORMAT', `the GGUF file ${reason}`, { hint });
}

/**
 * Names of the storage formats by `general.file_type` (llama.cpp, `enum llama_ftype`), spelled as
 * in model tags.
 */
const fileTypes: Readonly<Record<number, string>> = {
  0: 'F32',
  1: 'F16',
  2: 'Q4_0',
  3: 'Q4_1',
  7: 'Q8_0',
  8: 'Q5_0',
  9: 'Q5_1',
  10: 'Q2_K',
  11: 'Q3_K_S',
  12: 'Q3_K_M',
  13: 'Q3_K_L',
  14: 'Q4_K_S',
  15: 'Q4_K_M',
  16: 'Q5_K_S',
  17: 'Q5_K_M',
  18: 'Q6_K',
  19: 'IQ2_XXS',
  20: 'IQ2_XS',
  21: 'Q2_K_S',
  22: 'IQ3_XS',
  23: 'IQ3_XXS',
  24: 'IQ1_S',
  25: 'IQ4_NL',
  26: 'IQ3_S',
  27: 'IQ3_M',
  28: 'IQ2_S',
  29: 'IQ2_M',
  30: 'IQ4_XS',
  31: 'IQ1_M',
  32: 'BF16',
};

/** Returns the name of a file type, or `unknown`. */
export function fileTypeName(number: unknown): string {
  return (typeof number === 'number' ? fileTypes[number] : undefined) ?? 'unknown';
}

/** Formats a number of parameters as in model names: `8.2B`, `134.52M`, `130K`. */
export function parameterCount(parameters: bigint): string {
  const number = Number(parameters);
  if (number >= 1e9) return `${rounded(number / 1e9, 1)}B`;
  if (number >= 1e6) return `${rounded(number / 1e6, 2)}M`;
  return number >= 1e3 ? `${rounded(number / 1e3, 0)}K` : `${number}`;
}

function rounded(number: number, digits: number): string {
  return number.toFixed(Number.isInteger(number) ? 0 : digits);
}
