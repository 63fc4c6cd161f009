import { z } from 'zod';
import { LandfallError } from '#contract/errors.ts';
import { schemaProblems } from '#contract/text/schema-problems.ts';
import type { Descriptor } from '../blobs/blob.ts';
import { malformed, parseJson, printable } from '../registry/document.ts';
import { canonical, type ImageReference, parseReference } from '../registry/reference.ts';
import type { ArchiveContents } from './read-archive.ts';

/** An image of a Docker archive, by what its files turned out to be. */
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

const mostHops = 8;

/**
 * Finds an image in what `docker save` wrote, by Docker's own `manifest.json`: the layout of old,
 * with a folder for each layer, and today's, with `blobs/`. Without a name there must be one image.
 * @throws LandfallError IMAGE_SOURCE, IMAGE_NOT_FOUND, IMAGE_MANIFEST
 */
export function findInDockerArchive(
  contents: ArchiveContents,
  reference: ImageReference | undefined,
  what: string,
): ArchivedImage {
  const bytes = contents.documents.get('manifest.json');
  if (!bytes) {
    throw new LandfallError('IMAGE_SOURCE', `${what} is not what docker save writes`, {
      hint: 'It has no manifest.json. An OCI image layout in a tar is read as oci-archive:.',
    });
  }
  const parsed = manifestSchema.safeParse(parseJson(bytes, `manifest.json of ${what}`));
  if (!parsed.success) {
    throw malformed(`manifest.json of ${what} is malformed`, schemaProblems(parsed.error.issues));
  }
  const entry = selectEntry(parsed.data, reference, what);
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
    first ? `${what} holds more than one image` : `${what} has no image ${wanted ?? ''}`.trim(),
    {
      hint: `It has ${names.length === 0 ? 'no names' : names.join(', ')}. Put the name of one after the path and a colon.`,
    },
  );
}

function namesOf({ RepoTags }: ArchiveEntry): string[] {
  return (RepoTags ?? []).flatMap((tag) => {
    try {
      return canonical(parseReference(tag));
    } catch {
      // A name that nobody can ask for finds nothing, and harms nothing.
      return [];
    }
  });
}

function blobNamed({ blobs, links }: ArchiveContents, name: string, what: string): Descriptor {
  let at = name;
  for (let hop = 0; hop < mostHops; hop += 1) {
    const blob = blobs.get(at);
    if (blob) return blob;
    const target = links.get(at);
    if (target === undefined) break;
    at = target;
  }
  throw new LandfallError('IMAGE_SOURCE', `${what} lacks ${printable(name)}`, {
    hint: 'Its manifest.json names it, so the archive is damaged. Save the image again.',
  });
}
