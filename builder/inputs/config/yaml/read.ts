import { createReadStream } from 'node:fs';
import { LandfallError } from '#contract/errors.ts';
import { readAtMost } from '#contract/text/bytes.ts';
import type { Text } from '#contract/text/language.ts';
import { fileError } from '#files/file-error.ts';
import { maxYamlBytes, parseYaml, type YamlFile } from '#yaml/parse.ts';

const hintIfMissing = {
  en: 'Create it with `landfall init`, or use another file.',
  zh: '用 `landfall init` 生成它，或换一个文件。',
};

/**
 * Reads and parses a YAML 1.2 file with `parseYaml`. Stops at the first byte above the limit, because
 * a device or a pipe can be endless.
 * @param ifMissing hint if the file does not exist
 * @throws LandfallError CONFIG_MISSING, CONFIG_TOO_LARGE, CONFIG_ENCODING, CONFIG_SYNTAX, FILE_ACCESS
 */
export async function readYaml(
  path: string,
  ifMissing: string | Text = hintIfMissing,
): Promise<YamlFile> {
  const bytes = await readAtMost(createReadStream(path), maxYamlBytes + 1).catch((cause) => {
    const error = fileError(cause, path);
    if (!(error instanceof LandfallError) || error.code !== 'FILE_MISSING') throw error;
    throw new LandfallError('CONFIG_MISSING', error.message, { hint: ifMissing, cause });
  });
  return parseYaml(bytes, path);
}
