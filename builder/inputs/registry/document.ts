import { z } from 'zod';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { parseJson as parseText, schemaProblems } from '#contract/text/json.ts';
import type { Descriptor } from '../blobs/blob.ts';
import { kindOf, ociTypeOf } from './media-types.ts';

/** An index, manifest or configuration from a registry, with its verbatim bytes. */
export interface Document {
  readonly descriptor: Descriptor;
  readonly bytes: Buffer;
}

/** The maximum manifest size that registries agree on (distribution-spec, "Pushing Manifests"). */
export const maxDocumentBytes = 4 * 1024 * 1024;

/** A document of known kind. Its content is not validated yet. */
interface TypedDocument {
  readonly kind: 'index' | 'manifest';
  readonly mediaType: string;
  readonly value: unknown;
}

const outline = z.looseObject({
  schemaVersion: z.number().optional(),
  mediaType: z.string().max(255).optional(),
  manifests: z.unknown().optional(),
  config: z.unknown().optional(),
  layers: z.unknown().optional(),
});

const noManifest = 'is not an image manifest';
const reasonToRefuseBoth =
  'Push the image again with a current tool; two programs could read different images from this document.';

/**
 * Detects whether a document is an index or a manifest. Its transport type, its own media type and
 * its shape must agree, so that one cannot be disguised as the other (distribution-spec and
 * image-spec 1.0.1, CVE-2021-41190).
 * @param transportType the Content-Type, or the media type of the referring descriptor
 * @throws LandfallError IMAGE_MANIFEST
 */
export function readDocument(
  bytes: Buffer,
  transportType: string | undefined,
  what: string,
): TypedDocument {
  const value = parseJson(bytes, what);
  const { schemaVersion, mediaType, manifests, config, layers } = valid(
    outline,
    value,
    what,
    noManifest,
  );
  const claimed = kindOf(transportType);
  if (claimed === 'schema1' || kindOf(mediaType) === 'schema1' || schemaVersion === 1) {
    throw new LandfallError(
      'IMAGE_MANIFEST',
      `${what} has an unsupported manifest format: schema 1`,
      {
        hint: 'Pull and push the image with a current Docker; schema 1 has no layer digests to lock.',
      },
    );
  }
  if (schemaVersion !== 2) throw malformed(what, noManifest);
  if (manifests !== undefined && (config !== undefined || layers !== undefined)) {
    throw new LandfallError('IMAGE_MANIFEST', `${what} is both an index and a manifest`, {
      hint: reasonToRefuseBoth,
    });
  }
  if (mediaType !== undefined && claimed !== undefined && mediaType !== transportType) {
    throw new LandfallError('IMAGE_MANIFEST', `${what} has a different media type than announced`, {
      hint: reasonToRefuseBoth,
      problems: [{ message: `Content-Type ${transportType}, mediaType ${printable(mediaType)}` }],
    });
  }
  const kind = manifests === undefined ? 'manifest' : 'index';
  const type = mediaType ?? (claimed === undefined ? ociTypeOf(kind) : (transportType ?? ''));
  if (kindOf(type) === kind) return { kind, mediaType: type, value };
  throw new LandfallError(
    'IMAGE_MANIFEST',
    `${what} is not a container image: media type ${printable(type)}`,
    { hint: 'Check the name; charts, signatures and other artifacts cannot be run.' },
  );
}

/** @throws LandfallError IMAGE_MANIFEST */
export function parseJson(bytes: Buffer, what: string): unknown {
  if (bytes.length > maxDocumentBytes) throw tooLarge(what);
  const value = parseText(bytes);
  if (value !== undefined) return value;
  throw new LandfallError('IMAGE_MANIFEST', `${what} is not valid JSON`, {
    hint: 'Check the name; it does not refer to a container image.',
  });
}

/** Returns the error for a document over `maxDocumentBytes`. */
export function tooLarge(what: string): LandfallError {
  return new LandfallError('IMAGE_MANIFEST', `${what} is larger than 4 MiB`, {
    hint: 'Check the name; it does not refer to a container image.',
  });
}

/** Returns the part of a document that a schema describes. @throws LandfallError IMAGE_MANIFEST */
export function valid<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what: string,
  failure = 'is malformed',
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw malformed(what, failure, schemaProblems(parsed.error.issues));
}

function malformed(what: string, failure: string, problems: readonly Problem[] = []) {
  return new LandfallError('IMAGE_MANIFEST', `${what} ${failure}`, {
    hint: 'Check the name, or push the image again if it is damaged.',
    problems,
  });
}

/** Makes untrusted text safe for a message. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
  return text.slice(0, 120).replace(/[\u0000-\u001f\u007f-\u009f]/g, '?');
}
