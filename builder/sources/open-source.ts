import { resolve } from 'node:path';
import type { Registries } from '../registry/registries.ts';
import { dockerArchive, ociArchive } from './archive-origins.ts';
import { ArchiveSource, type LocalParts } from './archive-source.ts';
import { engineImage } from './engine-source.ts';
import { parseImageName } from './image-name.ts';
import { LayoutSource } from './layout-source.ts';
import { RegistrySource } from './registry-source.ts';
import type { ImageSource } from './source.ts';

interface SourceParts extends LocalParts {
  readonly registries: Registries;
  readonly env: NodeJS.ProcessEnv;
  /** Where relative paths of layouts and archives start. */
  readonly baseFolder: string;
}

/**
 * Opens the source that an image name means. Nothing is asked or read yet.
 * @throws LandfallError CONFIG_INVALID
 */
export function openSource(image: string, parts: SourceParts): ImageSource {
  const name = parseImageName(image);
  const inBase = (path: string) => resolve(parts.baseFolder, path);
  switch (name.transport) {
    case 'registry':
      return new RegistrySource(parts.registries.client(name.reference.registry), name.reference);
    case 'engine':
      return new ArchiveSource(engineImage(name.name, parts.env), parts);
    case 'layout':
      return new LayoutSource(inBase(name.path), name.tag, parts);
    case 'oci-archive':
      return new ArchiveSource(ociArchive(inBase(name.path), name.tag), parts);
    case 'docker-archive':
      return new ArchiveSource(dockerArchive(inBase(name.path), name.reference), parts);
  }
}
