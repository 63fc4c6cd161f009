import { open } from 'node:fs/promises';
import { LandfallError } from '#contract/errors.ts';
import { type GgufHeader, readGgufHeader } from './read-header.ts';
import { fileTypeName, parameterCount } from './spelling.ts';

/** A model in a GGUF file, in the words of the engine's configuration. */
export interface GgufModel {
  /** `llama`, `qwen3`: how its layers are put together. */
  readonly architecture: string;
  /** `Q4_K_M`. */
  readonly fileType: string;
  /** `8.2B`. */
  readonly parameters: string;
}

/**
 * Reads what a GGUF file says of itself.
 * @param size bytes of the file
 * @throws LandfallError MODEL_FORMAT for what is no language model in one whole GGUF file
 */
export async function describeGguf(path: string, size: number): Promise<GgufModel> {
  await using file = await open(path, 'r');
  const header = await readGgufHeader(async (position, length) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  }, size);
  return modelOf(header);
}

/** @throws LandfallError MODEL_FORMAT */
export function modelOf({ metadata, parameters }: GgufHeader): GgufModel {
  const architecture = metadata.get('general.architecture');
  if (typeof architecture !== 'string' || !/^[\w.-]{1,64}$/.test(architecture)) {
    throw new LandfallError('MODEL_FORMAT', 'the GGUF file does not say what model it is', {
      hint: 'It may hold a vocabulary alone. Name the file with the weights.',
    });
  }
  refuseParts(metadata);
  const type = metadata.get('general.type') ?? 'model';
  if (type !== 'model' || architecture === 'clip') {
    throw new LandfallError(
      'MODEL_FORMAT',
      'the GGUF file is an addition to a model, not a model',
      {
        hint: 'Adapters and projectors cannot run alone. Name the file of the model itself.',
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
  throw new LandfallError('MODEL_FORMAT', 'the GGUF file is one part of several', {
    hint: 'Join the parts first: llama-gguf-split --merge <first part> <whole file>',
  });
}
