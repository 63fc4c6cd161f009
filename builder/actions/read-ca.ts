import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileError } from '../files/file-error.ts';
import type { CommandContext } from './context.ts';

/**
 * Returns the additional certificate authorities in PEM, or undefined for none. Python tools read
 * REQUESTS_CA_BUNDLE, so users behind a TLS proxy have usually set it (SPEC 2.2).
 * @param file value of `--ca`
 * @throws LandfallError FILE_MISSING, FILE_ACCESS
 */
export async function readCa(
  { env, cwd }: CommandContext,
  file: string | undefined,
): Promise<string | undefined> {
  const path = file ?? (env.REQUESTS_CA_BUNDLE || undefined);
  if (path === undefined) return undefined;
  try {
    return await readFile(resolve(cwd, path), 'utf8');
  } catch (error) {
    throw fileError(error, path);
  }
}
