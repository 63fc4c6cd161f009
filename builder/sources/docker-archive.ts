import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import type { Descriptor } from '../blobs/blob.ts';
import { parseJson, printable, valid } from '../registry/document.ts';
import { canonical, type ImageReference, parseReference } from '../registry/reference.ts';
import type { ArchiveContents } from './read-archive.ts';

/** An image of a Docker archive, with the descriptors computed from its files. */
export interface ArchivedImage {
  readonly config: Descriptor;
  /** Base first. */
  readonly layers: readonly Descriptor[];
}

const manifestSchema = z
  .array(
    z.object({
      Config: z.string().max(1024),
      RepoTags: z.array(z.string().max(512)).max(1024).nullish(),
      Layers: z
        .array(z.string().max(1024))
        .max(1024)
        .nullish()
        .transform((layers) => layers ?? []),
    }),
  )
  .max(1024);

type ArchiveEntry = z.infer<typeof manifestSchema>[number];

const maxHops = 8;

/**
 * Finds an image in a `docker save` archive by Docker's `manifest.json`: in the old layout with a
 * folder per layer, or in the current one with `blobs/`. Without a name, the archive must contain
 * exactly one image.
 * @throws LandfallError IMAGE_SOURCE, IMAGE_NOT_FOUND, IMAGE_MANIFEST
 */
export function findInDockerArchive(
  contents: ArchiveContents,
  reference: ImageReference | undefined,
  what: string,
): ArchivedImage {
  const bytes = contents.documents.get('manifest.json');
  if (!bytes) {
    throw new LandfallError('IMAGE_SOURCE', `${what} is not a Docker archive: no manifest.json`, {
      hint: 'Use oci-archive: for an OCI image layout in a tar.',
    });
  }
  const name = `manifest.json of ${what}`;
  const entries = valid(manifestSchema, parseJson(bytes, name), name);
  const entry = selectEntry(entries, reference, what);
  return {
    config: blobNamed(contents, entry.Config, what),
    layers: entry.Layers.map((name) => blobNamed(contents, name, what)),
  };
}

function selectEntry(
  entries: readonly ArchiveEntry[],
  reference: ImageReference | undefined,
  what: string,
): ArchiveEntry {
  const wanted = reference && canonical(reference);
  const found = wanted ? entries.filter((entry) => namesOf(entry).includes(wanted)) : entries;
  const [first, ...others] = found;
  if (first && others.length === 0) return first;
  const names = entries.flatMap(({ RepoTags }) => RepoTags ?? []).map(printable);
  throw new LandfallError(
    'IMAGE_NOT_FOUND',
    first ? `${what} contains more than one image` : `${what} has no image ${wanted ?? ''}`.trim(),
    {
      hint: `Append a colon and the name of an image to the path (available: ${names.length === 0 ? 'no names' : names.join(', ')}).`,
    },
  );
}

function namesOf({ RepoTags }: ArchiveEntry): string[] {
  return (RepoTags ?? []).flatMap((tag) => {
    try {
      return canonical(parseReference(tag));
    } catch {
      // An invalid name cannot be requested, so it is ignored.
      return [];
    }
  });
}

function blobNamed({ blobs, links }: ArchiveContents, name: string, what: string): Descriptor {
  let at = name;
  for (let hop = 0; hop < maxHops; hop += 1) {
    const blob = blobs.get(at);
    if (blob) return blob;
    const target = links.get(at);
    if (target === undefined) break;
    at = target;
  }
  throw new LandfallError('IMAGE_SOURCE', `${what} does not contain ${printable(name)}`, {
    hint: 'Save the image again; its manifest.json refers to a missing file.',
  });
}
