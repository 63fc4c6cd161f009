import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { LandfallError } from '#contract/errors.ts';
import { parseJson } from '#contract/text/json.ts';
import { schemaProblems } from '#contract/text/schema-problems.ts';
import { isMissing } from '#files/open-regular.ts';
import { fileError } from '../files/file-error.ts';
import { type PackagedRelease, packagedReleaseSchema } from './packaged-release.ts';

/** Maximum size of the file in bytes. */
const maxBytes = 64 * 1024;

const source = fileURLToPath(new URL('../cli.ts', import.meta.url));
const inPackage = fileURLToPath(new URL('../prebuilt/release-facts.json', import.meta.url));

/**
 * Reads the release that this package was published with. Undefined in a package without one, and in
 * a checkout.
 * @param path default: the file of the package
 * @throws LandfallError CONFIG_INVALID for a file that is too large or not valid, FILE_ACCESS
 */
export async function readPackagedRelease(path?: string): Promise<PackagedRelease | undefined> {
  // A checkout has this file while `npm pack` runs.
  if (path === undefined && isCheckout()) return undefined;
  const text = await readText(path ?? inPackage);
  if (text === undefined) return undefined;
  const parsed = packagedReleaseSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new LandfallError('CONFIG_INVALID', `${path ?? inPackage} is not valid`, {
    hint: 'Install the package again.',
    problems: schemaProblems(parsed.error.issues),
  });
}

/** Returns whether this program runs from its sources. */
export function isCheckout(): boolean {
  return existsSync(source);
}

async function readText(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path, 'r');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes + 1));
    // A longer file is no valid JSON without its end.
    return buffer.toString('utf8', 0, Math.min(bytesRead, maxBytes));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw fileError(error, path);
  }
}
