/**
 * A test image: a stand-in under the name and tag of a real one, built from Debian packages and
 * files of this project, because tests use only their own registry.
 */
export interface StandIn {
  readonly registry: 'docker.io' | 'ghcr.io';
  readonly repository: string;
  readonly tag: string;
  readonly architectures: ReadonlyArray<'amd64' | 'arm64'>;
  readonly format: 'oci' | 'docker';
  /** The layers, the lowest first. */
  readonly layers: readonly LayerRecipe[];
  readonly config: ImageConfig;
  /** Adds an entry for platform unknown/unknown for every real one, as BuildKit does. */
  readonly attestations?: boolean;
}

/** Debian packages with all dependencies, without the packages of the layers below. */
export interface LayerRecipe {
  readonly packages: readonly string[];
  readonly compression: 'gzip' | 'zstd';
  /** Small files that the packages' scripts would have created; these scripts do not run here. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files, folders and links of the project. */
  readonly adds?: readonly AddedEntry[];
}

/** An entry that comes from no package; owned by root. */
export type AddedEntry = { readonly path: string } & (
  | { readonly folder: true }
  | { readonly link: string }
  | { readonly text: string; readonly executable?: boolean }
  /** A file of this machine, identified by its content or its version. */
  | { readonly source: string; readonly identity: string; readonly executable?: boolean }
);

/** The fields of an image's configuration that define how to run it (OCI image-spec, "config"). */
export interface ImageConfig {
  readonly Entrypoint?: readonly string[];
  readonly Cmd: readonly string[];
  readonly Env?: readonly string[];
  readonly WorkingDir?: string;
  readonly ExposedPorts?: Readonly<Record<string, object>>;
}

export const baseLayer: LayerRecipe = {
  packages: ['base-files', 'base-passwd', 'ca-certificates', 'libc-bin', 'netbase', 'openssl'],
  compression: 'gzip',
  files: {
    'etc/passwd': [
      'root:x:0:0:root:/root:/usr/sbin/nologin',
      'www-data:x:33:33:www-data:/var/www:/usr/sbin/nologin',
      ['nobody', 'x', 65534, 65534, 'nobody', '/nonexistent', '/usr/sbin/nologin\n'].join(':'),
    ].join('\n'),
    'etc/group': 'root:x:0:\nwww-data:x:33:\nnogroup:x:65534:\n',
  },
};
