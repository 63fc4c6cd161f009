import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import type { Descriptor } from '../blobs/blob.ts';
import { parseJson, printable } from '../registry/document.ts';
import { type IndexEntry, readIndex } from '../registry/image-documents.ts';

const layoutSchema = z.object({ imageLayoutVersion: z.string().regex(/^1\.\d+\.\d+$/) });

/** Annotations with the name of an image in a layout: containerd's and OCI's. */
const nameAnnotations = ['io.containerd.image.name', 'org.opencontainers.image.ref.name'];

/** The two root files of a layout. */
interface LayoutFiles {
  readonly layout: Buffer | undefined;
  readonly index: Buffer | undefined;
}

/**
 * Finds an image in an OCI image layout (OCI image-spec "Image Layout") by its name. Without a
 * name, the layout must contain exactly one image.
 * @throws LandfallError IMAGE_SOURCE for an invalid layout, IMAGE_NOT_FOUND for a missing image
 */
export function findInLayout(
  { layout, index }: LayoutFiles,
  tag: string | undefined,
  what: string,
): Descriptor {
  if (!layout || !index || !layoutSchema.safeParse(parseJson(layout, what)).success) {
    throw new LandfallError('IMAGE_SOURCE', `${what} is not an OCI image layout`, {
      hint: 'Check that it contains oci-layout (version 1) and index.json, or use docker-archive: for an archive of `docker save`.',
    });
  }
  const entries = readIndex(parseJson(index, what), what);
  const found =
    tag === undefined ? entries : entries.filter((entry) => namesOf(entry).includes(tag));
  const [first] = found;
  // An image with several names is listed once per name.
  if (first && new Set(found.map(({ descriptor }) => descriptor.digest)).size === 1) {
    return first.descriptor;
  }
  throw notOneImage(what, found.length > 1, tag, entries.flatMap(namesOf));
}

/** Returns the error for a name that selects no image, or several, from those with these names. */
export function notOneImage(
  what: string,
  isAmbiguous: boolean,
  selected: string | undefined,
  names: readonly string[],
): LandfallError {
  const list = names.length === 0 ? 'no names' : names.map(printable).join(', ');
  const message = isAmbiguous
    ? `${what} contains more than one image`
    : `${what} has no image ${printable(selected ?? '')}`.trim();
  return new LandfallError('IMAGE_NOT_FOUND', message, {
    hint: `Append a colon and the name of an image to the path (available: ${list}).`,
  });
}

function namesOf({ annotations }: IndexEntry): string[] {
  return nameAnnotations.flatMap((key) => annotations[key] ?? []);
}
