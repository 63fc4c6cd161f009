import { createReadStream } from 'node:fs';
import { LandfallError } from '#contract/errors.ts';
import { maxYamlBytes, parseYaml, type YamlFile } from '#yaml/parse.ts';

const hintIfMissing = 'Create it with `landfall init`, or use another file.';

/**
 * Reads and parses a YAML 1.2 file with `parseYaml`.
 * @param ifMissing hint if the file does not exist
 * @throws LandfallError CONFIG_MISSING, CONFIG_TOO_LARGE, CONFIG_ENCODING, CONFIG_SYNTAX, FILE_ACCESS
 */
export async function readYaml(path: string, ifMissing = hintIfMissing): Promise<YamlFile> {
  return parseYaml(await readBounded(path, ifMissing), path);
}

/** Stops at the first byte above the limit, because a device or a pipe can be endless. */
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
    return new LandfallError('CONFIG_MISSING', `${path} does not exist`, {
      hint: ifMissing,
      cause,
    });
  }
  const what = code === 'EISDIR' ? 'is a folder' : `cannot be read (${code})`;
  return new LandfallError('FILE_ACCESS', `${path} ${what}`, {
    hint: 'Use a YAML file that you have permission to read.',
    cause,
  });
}
