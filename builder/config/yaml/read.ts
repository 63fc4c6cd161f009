import { createReadStream } from 'node:fs';
import { LandfallError } from '#contract/errors.ts';
import { maxYamlBytes, parseYaml, type YamlFile } from './parse.ts';

const hintIfMissing = 'Write one with `landfall init`, or name another file.';

/**
 * Reads a YAML 1.2 file that a person wrote, as `parseYaml` does.
 * @param ifMissing what to do where there is no such file
 * @throws LandfallError CONFIG_MISSING, CONFIG_TOO_LARGE, CONFIG_ENCODING, CONFIG_SYNTAX, FILE_ACCESS
 */
export async function readYaml(path: string, ifMissing = hintIfMissing): Promise<YamlFile> {
  return parseYaml(await readBounded(path, ifMissing), path);
}

/** Stops after the first byte too many: a device or an endless pipe cannot fill the memory. */
async function readBounded(path: string, ifMissing: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of createReadStream(path, { end: maxYamlBytes })) chunks.push(chunk);
  } catch (error) {
    throw unreadable(error, path, ifMissing);
  }
  return Buffer.concat(chunks);
}

function unreadable(cause: unknown, path: string, ifMissing: string): LandfallError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new LandfallError('CONFIG_MISSING', `there is no ${path}`, {
      hint: ifMissing,
      cause,
    });
  }
  const what = code === 'EISDIR' ? 'is a folder' : `cannot be read (${code})`;
  return new LandfallError('FILE_ACCESS', `${path} ${what}`, {
    hint: 'Name a YAML file that you may read.',
    cause,
  });
}
