import { z } from 'zod';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { schemaProblems } from '#contract/text/schema-problems.ts';
import type { Descriptor } from '../blobs/blob.ts';
import { type DocumentKind, kindOf, ociTypeOf } from './media-types.ts';

/** A small document of a registry (index, manifest, configuration) with its verbatim bytes. */
export interface Document {
  readonly descriptor: Descriptor;
  readonly bytes: Buffer;
}

/** What registries agree on as the largest manifest (distribution-spec, "Pushing Manifests"). */
export const maxDocumentBytes = 4 * 1024 * 1024;

/** A document whose kind is settled and whose content is still to be checked. */
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

const reasonToRefuseBoth =
  'Two programs could read different images from it. Have it pushed again, with a current tool.';

/**
 * Finds out what a document is: an index or a manifest. The transport's word, the document's own
 * and its shape must not contradict each other, so that nobody can pass off one as the other
 * (distribution-spec and image-spec 1.0.1, the reason for them, CVE-2021-41190).
 * @param transportType the Content-Type or the media type of the descriptor that led here
 * @throws LandfallError IMAGE_MANIFEST
 */
export function readDocument(
  bytes: Buffer,
  transportType: string | undefined,
  what: string,
): TypedDocument {
  const value = parseJson(bytes, what);
  const read = outline.safeParse(value);
  if (!read.success) {
    throw malformed(`${what} is not an image manifest`, schemaProblems(read.error.issues));
  }
  const { schemaVersion, mediaType, manifests, config, layers } = read.data;
  const claimed = kindOf(transportType);
  if (claimed === 'schema1' || kindOf(mediaType) === 'schema1' || schemaVersion === 1) {
    throw new LandfallError('IMAGE_MANIFEST', `${what} has the old manifest format, schema 1`, {
      hint: 'Registries and engines gave it up; its layers have no checksums that can be locked. Pull and push the image once with a current Docker.',
    });
  }
  if (schemaVersion !== 2) throw malformed(`${what} is not an image manifest`);
  if (manifests !== undefined && (config !== undefined || layers !== undefined)) {
    throw new LandfallError('IMAGE_MANIFEST', `${what} is an index and a manifest at once`, {
      hint: reasonToRefuseBoth,
    });
  }
  if (mediaType !== undefined && claimed !== undefined && mediaType !== transportType) {
    throw new LandfallError('IMAGE_MANIFEST', `${what} is announced as another kind than it is`, {
      hint: reasonToRefuseBoth,
      problems: [
        { message: `announced as ${transportType}, calls itself ${printable(mediaType)}` },
      ],
    });
  }
  const kind = manifests === undefined ? 'manifest' : 'index';
  const type = mediaType ?? (claimed === undefined ? ociTypeOf(kind) : (transportType ?? ''));
  refuseOtherKind(kindOf(type), kind, type, what);
  return { kind, mediaType: type, value };
}

function refuseOtherKind(
  named: DocumentKind | undefined,
  kind: DocumentKind,
  type: string,
  what: string,
): void {
  if (named === kind) return;
  throw new LandfallError(
    'IMAGE_MANIFEST',
    `${what} calls itself ${printable(type)}, which is no kind of image`,
    { hint: 'Charts, signatures and other artifacts cannot be run. Check the name.' },
  );
}

/** @throws LandfallError IMAGE_MANIFEST */
export function parseJson(bytes: Buffer, what: string): unknown {
  if (bytes.length > maxDocumentBytes) throw tooLarge(what);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    throw new LandfallError('IMAGE_MANIFEST', `${what} is not JSON`, {
      hint: 'What was found under this name is not a container image.',
      cause,
    });
  }
}

/** The refusal of a document over `maxDocumentBytes`. */
export function tooLarge(what: string): LandfallError {
  return new LandfallError('IMAGE_MANIFEST', `${what} is larger than 4 MiB`, {
    hint: 'No image needs that. What was found under this name is not a container image.',
  });
}

/** The refusal of a document that a schema did not accept. */
export function malformed(message: string, problems: readonly Problem[] = []): LandfallError {
  return new LandfallError('IMAGE_MANIFEST', message, {
    hint: 'The image is damaged, or it is not a container image. Have it pushed again.',
    problems,
  });
}

/** Text of a stranger, made fit for a message. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text.slice(0, 120).replace(/[\u0000-\u001f\u007f-\u009f]/g, '?');
}
