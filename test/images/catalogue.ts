/**
 * The images that tests fetch, bundle and load: stand-ins under the names and tags of the real
 * ones, built from Debian packages because tests reach no registry but their own. They resemble
 * their originals in what matters to a builder: sizes from 10 MB to more than 500 MB, layers that
 * several images share, indexes of one and of two platforms, both families of media types, zstd
 * beside gzip, and the attestation entries that BuildKit adds. None runs the original's software,
 * save nginx and tinyproxy.
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

/**
 * Debian packages with all that they depend on, less what the layers below hold. Those are unpacked
 * again to tell the difference, so the largest belong on top.
 */
export interface LayerRecipe {
  readonly packages: readonly string[];
  readonly compression: 'gzip' | 'zstd';
  /** Small files that the packages' scripts would have made; none of these scripts runs here. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files, folders and links of our own. */
  readonly adds?: readonly AddedEntry[];
}

/** Something that no package brings; the owner is root. */
export type AddedEntry = { readonly path: string } & (
  | { readonly folder: true }
  | { readonly link: string }
  | { readonly text: string; readonly executable?: boolean }
  /** A file of this machine, and what it is by its content or its version. */
  | { readonly source: string; readonly identity: string; readonly executable?: boolean }
);

/** The part of an image's configuration that says how to run it (OCI image-spec, "config"). */
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
      'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n',
    ].join('\n'),
    'etc/group': 'root:x:0:\nwww-data:x:33:\nnogroup:x:65534:\n',
  },
};
const python: LayerRecipe = { packages: ['python3'], compression: 'gzip' };
const node: LayerRecipe = { packages: ['nodejs'], compression: 'gzip' };

const nginxSite = `server {
  listen 80 default_server;
  location / { default_type text/plain; return 200 "nginx stand-in\\n"; }
}
`;

export const catalogue: readonly StandIn[] = [
  {
    registry: 'docker.io',
    repository: 'ollama/ollama',
    tag: '0.35.1',
    architectures: ['amd64'],
    format: 'oci',
    layers: [
      baseLayer,
      { packages: ['libamdhip64-5'], compression: 'gzip' },
      { packages: ['librocsparse0'], compression: 'gzip' },
    ],
    config: { Entrypoint: ['/bin/ollama'], Cmd: ['serve'], ExposedPorts: { '11434/tcp': {} } },
  },
  {
    registry: 'ghcr.io',
    repository: 'open-webui/open-webui',
    tag: 'v0.11.4',
    architectures: ['amd64'],
    format: 'oci',
    layers: [
      baseLayer,
      python,
      { packages: ['pandoc'], compression: 'gzip' },
      { packages: ['python3-torch', 'python3-scipy', 'python3-pandas'], compression: 'gzip' },
    ],
    config: { Cmd: ['bash', 'start.sh'], ExposedPorts: { '8080/tcp': {} } },
    attestations: true,
  },
  {
    registry: 'docker.io',
    repository: 'lobehub/lobe-chat',
    tag: '1.143.3',
    architectures: ['amd64'],
    format: 'oci',
    layers: [baseLayer, node, { packages: ['webpack', 'node-typescript'], compression: 'zstd' }],
    config: { Cmd: ['/usr/bin/node', '/app/startServer.js'], ExposedPorts: { '3210/tcp': {} } },
  },
  {
    registry: 'docker.io',
    repository: 'yidadaa/chatgpt-next-web',
    tag: 'v2.16.1',
    architectures: ['amd64'],
    format: 'oci',
    layers: [baseLayer, node, { packages: ['proxychains4'], compression: 'gzip' }],
    config: { Cmd: ['/usr/bin/node', 'server.js'], ExposedPorts: { '3000/tcp': {} } },
  },
  {
    registry: 'docker.io',
    repository: 'certbot/certbot',
    tag: 'v5.8.0',
    architectures: ['amd64'],
    format: 'docker',
    layers: [baseLayer, python, { packages: ['certbot'], compression: 'gzip' }],
    config: { Entrypoint: ['certbot'], Cmd: [], ExposedPorts: { '80/tcp': {}, '443/tcp': {} } },
  },
  {
    registry: 'docker.io',
    repository: 'library/nginx',
    tag: '1.30.5-alpine',
    architectures: ['amd64', 'arm64'],
    format: 'oci',
    layers: [
      baseLayer,
      {
        packages: ['nginx'],
        compression: 'gzip',
        files: { 'etc/nginx/conf.d/stand-in.conf': nginxSite },
      },
    ],
    config: { Cmd: ['nginx', '-g', 'daemon off;'], ExposedPorts: { '80/tcp': {} } },
    attestations: true,
  },
  {
    registry: 'docker.io',
    repository: 'kalaksi/tinyproxy',
    tag: '1.7',
    architectures: ['amd64', 'arm64'],
    format: 'docker',
    layers: [baseLayer, { packages: ['tinyproxy'], compression: 'gzip' }],
    config: { Cmd: ['tinyproxy', '-d'], ExposedPorts: { '8888/tcp': {} } },
  },
];
