import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import type { Descriptor } from '../blobs/blob.ts';
import { parseJson, printable } from '../registry/document.ts';
import { type IndexEntry, readIndex } from '../registry/image-index.ts';

const layoutSchema = z.object({ imageLayoutVersion: z.string().regex(/^1\.\d+\.\d+$/) });

/** Where tools keep the name of an image in a layout: OCI's annotation, and containerd's. */
const nameAnnotations = ['io.containerd.image.name', 'org.opencontainers.image.ref.name'];

/** The two files by which a layout begins. */
interface LayoutFiles {
  readonly layout: Buffer | undefined;
  readonly index: Buffer | undefined;
}

/**
 * Finds an image in an OCI image layout (OCI image-spec "Image Layout") by its name; without one,
 * the layout must hold a single image.
 * @throws LandfallError IMAGE_SOURCE when it is no layout, IMAGE_NOT_FOUND when it lacks the image
 */
export function findInLayout(
  { layout, index }: LayoutFiles,
  tag: string | undefined,
  what: string,
): Descriptor {
  if (!layout || !index || !layoutSchema.safeParse(parseJson(layout, what)).success) {
    throw new LandfallError('IMAGE_SOURCE', `${what} is not an OCI image layout`, {
      hint: 'It must hold oci-layout (version 1) and index.json. What `docker save` writes is read as docker-archive:.',
    });
  }
  const entries = readIndex(parseJson(index, what), what);
  const found =
    tag === undefined ? entries : entries.filter((entry) => namesOf(entry).includes(tag));
  const [first] = found;
  // One image under several names is listed once for each of them.
  if (first && new Set(found.map(({ descriptor }) => descriptor.digest)).size === 1) {
    return first.descriptor;
  }
  throw notOne(what, tag, found.length, entries);
}

function notOne(
  what: string,
  tag: string | undefined,
  found: number,
  entries: readonly IndexEntry[],
): LandfallError {
  const names = entries.flatMap(namesOf).map(printable);
  const list = names.length === 0 ? 'Its images have no names.' : `It has ${names.join(', ')}.`;
  const message =
    found > 1
      ? `${what} holds more than one image`
      : `${what} has no image${tag === undefined ? '' : ` ${printable(tag)}`}`;
  return new LandfallError('IMAGE_NOT_FOUND', message, {
    hint: `${list} Put the name of one after the path and a colon.`,
  });
}

function namesOf({ annotations }: IndexEntry): string[] {
  return nameAnnotations.flatMap((key) => annotations[key] ?? []);
}
