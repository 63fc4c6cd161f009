import { epoch } from '../setup/debian/mmdebstrap.ts';
import type { BlobFolder, Descriptor } from './blob-folder.ts';
import type { Layer } from './layer.ts';
import { layerMediaTypeIn, mediaTypesOf } from './media-types.ts';
import type { StandIn } from './stand-in.ts';

/** A manifest in an index: its descriptor and its platform. */
export interface IndexEntry extends Descriptor {
  readonly platform: { readonly architecture: string; readonly os: string; variant?: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Writes configuration and manifest of one platform (OCI image-spec, "config" and "manifest"). */
export async function writeManifest(
  image: StandIn,
  architecture: 'amd64' | 'arm64',
  layers: readonly Layer[],
  blobs: BlobFolder,
): Promise<IndexEntry> {
  const types = mediaTypesOf(image.format);
  const config = await blobs.putJson(types.config, {
    created: new Date(epoch * 1000).toISOString(),
    architecture,
    os: 'linux',
    config: {
      Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
      ...image.config,
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: image.layers.map(({ packages }) => ({ created_by: `unpack ${packages.join(' ')}` })),
  });
  const manifest = await blobs.putJson(types.manifest, {
    schemaVersion: 2,
    mediaType: types.manifest,
    config,
    layers: layers.map(({ descriptor }) => ({
      ...descriptor,
      mediaType: layerMediaTypeIn(image.format, descriptor.mediaType),
    })),
  });
  const variant = architecture === 'arm64' ? { variant: 'v8' } : {};
  return { ...manifest, platform: { architecture, os: 'linux', ...variant } };
}

/** Writes the index by which the image is pulled (OCI image-spec, "image index"). */
export async function writeIndex(
  image: StandIn,
  manifests: readonly IndexEntry[],
  blobs: BlobFolder,
): Promise<Descriptor> {
  const attestations = image.attestations
    ? await Promise.all(manifests.map((manifest) => writeAttestation(manifest, blobs)))
    : [];
  const mediaType = mediaTypesOf(image.format).index;
  const entries = [...manifests, ...attestations];
  return await blobs.putJson(mediaType, { schemaVersion: 2, mediaType, manifests: entries });
}

/** An attestation entry, in the form in which BuildKit stores provenance. */
async function writeAttestation(subject: IndexEntry, blobs: BlobFolder): Promise<IndexEntry> {
  const { manifest: mediaType, config: configType } = mediaTypesOf('oci');
  const statement = await blobs.putJson('application/vnd.in-toto+json', {
    _type: 'https://in-toto.io/Statement/v0.1',
    predicateType: 'https://slsa.dev/provenance/v0.2',
    subject: [{ name: 'stand-in', digest: { sha256: subject.digest.slice('sha256:'.length) } }],
    predicate: {},
  });
  const config = await blobs.putJson(configType, {
    architecture: 'unknown',
    os: 'unknown',
    config: {},
    rootfs: { type: 'layers', diff_ids: [statement.digest] },
  });
  const layers = [statement];
  const manifest = await blobs.putJson(mediaType, { schemaVersion: 2, mediaType, config, layers });
  return {
    ...manifest,
    annotations: {
      'vnd.docker.reference.digest': subject.digest,
      'vnd.docker.reference.type': 'attestation-manifest',
    },
    platform: { architecture: 'unknown', os: 'unknown' },
  };
}
