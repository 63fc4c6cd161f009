import { open } from 'node:fs/promises';
import { LandfallError } from '#contract/errors.ts';
import { type GgufHeader, readGgufHeader } from './read-header.ts';
import { fileTypeName, parameterCount } from './spelling.ts';

/** A model in a GGUF file, in the terms of Ollama's configuration. */
export interface GgufModel {
  /** Model architecture: `llama`, `qwen3`. */
  readonly architecture: string;
  /** `Q4_K_M`. */
  readonly fileType: string;
  /** `8.2B`. */
  readonly parameters: string;
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
export function modelOf({ metadata, parameters }: GgufHeader): GgufModel {
  const architecture = metadata.get('general.architecture');
  if (typeof architecture !== 'string' || !/^[\w.-]{1,64}$/.test(architecture)) {
    throw new LandfallError('MODEL_FORMAT', 'the GGUF file has no model architecture', {
      hint: 'Use the file with the weights; this one may contain only a vocabulary.',
    });
  }
  refuseParts(metadata);
  const type = metadata.get('general.type') ?? 'model';
  if (type !== 'model' || architecture === 'clip') {
    throw new LandfallError(
      'MODEL_FORMAT',
      'the GGUF file is an adapter or a projector, not a model',
      {
        hint: 'Use the file of the model itself; adapters and projectors cannot run alone.',
      },
    );
  }
  return {
    architecture,
    fileType: fileTypeName(metadata.get('general.file_type')),
    parameters: parameterCount(parameters),
  };
}

function refuseParts(metadata: GgufHeader['metadata']): void {
  if (Number(metadata.get('split.count') ?? 1) <= 1) return;
  throw new LandfallError('MODEL_FORMAT', 'the GGUF file is one shard of a split model', {
    hint: 'Merge the shards: llama-gguf-split --merge <first shard> <output file>',
  });
}
