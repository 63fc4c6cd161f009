import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { releaseSchema } from '#contract/bundle/release.ts';
import { architectures } from '#contract/bundle/release-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { urlOf } from '#contract/site/urls.ts';
import { parseJson, schemaProblems } from '#contract/text/json.ts';
import { isPublicKey, readPublicKey } from '#contract/trust/keys.ts';
import { fileError } from '#files/file-error.ts';
import { isMissing } from '#files/open-regular.ts';
import { isLoopback } from '#http/proxy.ts';

/** Maximum size of the file in bytes. */
const maxBytes = 64 * 1024;

const source = fileURLToPath(new URL('../../bin/cli.ts', import.meta.url));
const inPackage = fileURLToPath(new URL('../../prebuilt/release-facts.json', import.meta.url));

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

/**
 * The release that an npm package was published with. Commands offer it to users who do not build a
 * release. It is trusted like the program of the package: it names the keys.
 */

const example = 'https://example.com/landfall/1.2.0/';

/** A server appends the name of a bundle, so the URL has no query. Loopback is for tests. */
const folderUrl = urlOf('https?', example).refine((text) => {
  const url = new URL(text);
  const isPlain = `${url.username}${url.password}${url.search}${url.hash}` === '';
  return isPlain && (url.protocol === 'https:' || isLoopback(url));
}, `must be the https URL of a folder, such as ${example}`);

const { product, version, keys } = releaseSchema.shape;

export const packagedReleaseSchema = z
  .strictObject({
    schema: z.literal(1),
    product,
    version,
    /** Each has a bundle. */
    architectures: z
      .array(z.enum(architectures))
      .min(1)
      .max(architectures.length)
      .refine((list) => new Set(list).size === list.length, 'lists an architecture twice'),
    /** Size of the parts of each bundle in parts, in bytes. */
    partSizes: z.partialRecord(z.enum(architectures), z.int().min(1)).optional(),
    /** Folders with the release, in the order that servers try: the main one, then mirrors. */
    urls: z.array(folderUrl).min(1).max(8),
    /** Folders with the channel from which servers learn of updates; several are mirrors. */
    channels: z.array(folderUrl).min(1).max(4).optional(),
    /** Every key that the release announces. */
    keys,
    /** ID of the first release key, 64 hex digits. */
    keyId: z.string().regex(/^[0-9a-f]{64}$/, 'must have 64 hex digits'),
    /** Page on another site that shows the key id, for comparison. */
    keyPage: urlOf('https', 'https://example.com/keys').optional(),
    /** Whether its bundles contain a proxy client, for sites with `route.mode: client`. */
    hasProxyClient: z.boolean().optional(),
  })
  .refine(({ keys: { release }, keyId }) => isIdOf(release[0] ?? '', keyId), {
    error: 'is not the ID of the first release key',
    path: ['keyId'],
  });

/** Returns whether a key has this ID. An invalid key has its own problem. */
function isIdOf(key: string, id: string): boolean {
  return !isPublicKey(key) || readPublicKey(key).id === id;
}

export type PackagedRelease = z.infer<typeof packagedReleaseSchema>;
