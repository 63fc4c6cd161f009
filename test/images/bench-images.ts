import { baseLayer, type LayerRecipe, type StandIn } from './stand-in.ts';

const python: LayerRecipe = { packages: ['python3'], compression: 'gzip' };
const node: LayerRecipe = { packages: ['nodejs'], compression: 'gzip' };

/**
 * Images for the benchmark. They resemble the originals in size (1.2 GB in total), shared layers
 * and media types. Only nginx and tinyproxy run the original software.
 */
export const benchImages: readonly StandIn[] = [
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
    tag: 'v0.12.4',
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
    repository: 'goacme/lego',
    tag: 'v5.6.0',
    architectures: ['amd64'],
    format: 'docker',
    layers: [baseLayer, { packages: ['lego'], compression: 'gzip' }],
    config: { Entrypoint: ['/lego'], Cmd: [], ExposedPorts: { '80/tcp': {} } },
  },
  {
    registry: 'docker.io',
    repository: 'library/nginx',
    tag: '1.30.7-alpine',
    architectures: ['amd64', 'arm64'],
    format: 'oci',
    layers: [baseLayer, { packages: ['nginx'], compression: 'gzip' }],
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
