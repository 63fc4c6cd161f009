import type { ReleaseImage } from '#contract/bundle/release.ts';
import type { Change } from '../change.ts';

/** The image of a component. For an assembled image, `reference` and `index` are those of its base. */
export interface ComponentVersion extends Omit<ReleaseImage, 'component' | 'config' | 'base'> {
  /** Whether the builder added a program of Landfall to the image. */
  readonly assembled: boolean;
}

export interface ModelVersion {
  readonly role: string;
  readonly manifest: string | null;
  /** Bytes. */
  readonly size: number | null;
  /** Whether the bundle contains it; otherwise the server pulls it. */
  readonly carried: boolean;
}

/** Node, the Compose plugin, the proxy client or Landfall's program for the server. */
export interface RuntimeVersion {
  /** Null if the SBOM cannot be read. */
  readonly version: string | null;
  readonly sha256: string;
  /** Bytes. */
  readonly size: number | null;
}

export interface FileVersion {
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
  readonly executable: boolean;
}

/** The differences between two releases, each list sorted by name. */
export interface ReleaseChanges {
  /** Fields of release.json. The SHA-256 of release.json is one, so any difference is in the list. */
  readonly facts: readonly Change<string>[];
  readonly components: readonly Change<ComponentVersion>[];
  readonly models: readonly Change<ModelVersion>[];
  readonly runtime: readonly Change<RuntimeVersion>[];
  /** Versions of the npm packages in Landfall's programs; null if an SBOM cannot be read. */
  readonly packages: readonly Change<readonly string[]>[] | null;
  /** Files of the stack, and the appliance with its lock. */
  readonly settings: readonly Change<FileVersion>[];
  /** All other files. */
  readonly files: readonly Change<FileVersion>[];
  /** SHA-256 by file. */
  readonly bootstrap: readonly Change<string>[];
}
