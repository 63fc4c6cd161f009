import { resolve } from 'node:path';
import type { Registries } from '../registry/registries.ts';
import { dockerArchive, ociArchive } from './archive-origins.ts';
import { ArchiveSource, type LocalParts } from './archive-source.ts';
import { dockerDaemonImage } from './docker-source.ts';
import { parseImageName } from './image-name.ts';
import { LayoutSource } from './layout-source.ts';
import { RegistrySource } from './registry-source.ts';
import type { ImageSource } from './source.ts';

interface SourceParts extends LocalParts {
  readonly registries: Registries;
  readonly env: NodeJS.ProcessEnv;
  /** Base of the relative paths of layouts and archives. */
  readonly baseFolder: string;
}

/**
 * Returns the source of an image name. Does not access the network or the disk yet.
 * @throws LandfallError CONFIG_INVALID
 */
export function openSource(image: string, parts: SourceParts): ImageSource {
  const name = parseImageName(image);
  const inBase = (path: string) => resolve(parts.baseFolder, path);
  switch (name.transport) {
    case 'registry':
      return new RegistrySource(parts.registries.client(name.reference.registry), name.reference);
    case 'docker-daemon':
      return new ArchiveSource(dockerDaemonImage(name.name, parts.env), parts);
    case 'layout':
      return new LayoutSource(inBase(name.path), name.tag, parts);
    case 'oci-archive':
      return new ArchiveSource(ociArchive(inBase(name.path), name.tag), parts);
    case 'docker-archive':
      return new ArchiveSource(dockerArchive(inBase(name.path), name.reference), parts);
  }
}
