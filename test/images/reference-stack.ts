import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { recipes } from '../../builder/bundle/assemble/recipes.ts';
import { lobeEnvironment } from './lobe-environment.ts';
import {
  type AddedEntry,
  baseLayer,
  type ImageConfig,
  type LayerRecipe,
  type StandIn,
} from './stand-in.ts';

/** Sources of the stand-ins: programs as text, large files by their path on this machine. */
export interface StandInParts {
  readonly engine: string;
  readonly ui: string;
  readonly frontEnd: string;
  readonly relay: string;
  /** Node for the images, with its version. */
  readonly node: { readonly source: string; readonly identity: string };
  /** llama.cpp as a native module of Node. */
  readonly llama: { readonly source: string; readonly identity: string };
  /** The real program, for tests that issue certificates; without it, its image cannot run. */
  readonly lego: { readonly source: string; readonly identity: string } | undefined;
}

/**
 * The images of the shipped stack, under the names of `appliance.yaml`, 200 MB in total, so that a
 * test server starts them in seconds. They vary as real images do: one or two platforms, both
 * families of media types, with and without BuildKit's attestations. nginx, HAProxy, tinyproxy and
 * lego are the real programs; Ollama, the UI and the front-ends are the stand-ins in `test/stand-ins`.
 */
export function referenceStack(parts: StandInParts): readonly StandIn[] {
  const node: LayerRecipe = {
    packages: ['libstdc++6', 'libgomp1'],
    compression: 'gzip',
    adds: [{ path: 'usr/local/bin/node', executable: true, ...parts.node }],
  };
  return [
    image('docker.io', 'ollama/ollama', '0.35.1', [tools, node, engineLayer(parts)], {
      Entrypoint: ['/bin/ollama'],
      Cmd: ['serve'],
      Env: ['OLLAMA_HOST=0.0.0.0:11434', 'NODE_USE_ENV_PROXY=1'],
      ExposedPorts: { '11434/tcp': {} },
    }),
    image('ghcr.io', 'open-webui/open-webui', 'v0.12.4', [tools, node, uiLayer(parts)], {
      Cmd: ['bash', 'start.sh'],
      WorkingDir: '/app/backend',
      ExposedPorts: { '8080/tcp': {} },
    }),
    image(
      'docker.io',
      'yidadaa/chatgpt-next-web',
      'v2.16.1',
      [tools, node, frontEnd(parts, 'server.js')],
      {
        Cmd: ['node', 'server.js'],
        Env: ['STAND_IN=chat'],
        WorkingDir: '/app',
        ExposedPorts: { '3000/tcp': {} },
      },
    ),
    image(
      'docker.io',
      'lobehub/lobe-chat',
      '1.143.3',
      [tools, node, frontEnd(parts, 'startServer.js')],
      {
        Entrypoint: ['/bin/node'],
        Cmd: ['/app/startServer.js'],
        Env: ['STAND_IN=lobe', ...lobeEnvironment],
        ExposedPorts: { '3210/tcp': {} },
      },
    ),
    // In the form that the builder assembles, for tests that start the stack without a bundle.
    image('docker.io', 'landfall/relay', 'assembled', [tools, node, relayLayer(parts)], {
      ...recipes.relay.config,
      Env: recipes.relay.env,
    }),
    image('docker.io', 'library/node', '24.22.3-alpine3.24', [tools, node], { Cmd: ['node'] }),
    {
      ...image('docker.io', 'kalaksi/tinyproxy', '1.7', [tools, debian('tinyproxy-bin')], {
        Cmd: ['tinyproxy', '-d'],
        ExposedPorts: { '8888/tcp': {} },
      }),
      architectures: ['amd64', 'arm64'],
      format: 'docker',
    },
    image(
      'docker.io',
      'library/haproxy',
      '3.2.23-alpine3.24',
      [tools, debian('haproxy', 'socat')],
      {
        Entrypoint: ['haproxy'],
        Cmd: ['-f', '/usr/local/etc/haproxy/haproxy.cfg'],
      },
    ),
    {
      ...image('docker.io', 'library/nginx', '1.30.7-alpine', [tools, nginx], {
        Cmd: ['nginx', '-g', 'daemon off;'],
        ExposedPorts: { '80/tcp': {} },
      }),
      architectures: ['amd64', 'arm64'],
      attestations: true,
    },
    {
      ...image('docker.io', 'goacme/lego', 'v5.6.0', [tools, legoLayer(parts)], {
        Entrypoint: ['/lego'],
        Cmd: [],
      }),
      format: 'docker',
    },
  ];
}

const nginx: LayerRecipe = {
  ...debian('nginx'),
  files: {
    'etc/nginx/conf.d/default.conf': `server {
  listen 80 default_server;
  location / { default_type text/plain; return 200 "nginx stand-in\\n"; }
}
`,
  },
};

/** Shells and small programs for health checks, as in Alpine and Ubuntu images. */
const tools: LayerRecipe = {
  ...baseLayer,
  packages: [...baseLayer.packages, 'bash', 'dash', 'busybox-static', 'grep'],
  adds: [
    // Normally created by the scripts of ca-certificates; programs trust no authority without it.
    { path: 'etc/ssl/certs/ca-certificates.crt', text: `${rootCertificates.join('\n')}\n` },
    ...['wget', 'nc', 'cat', 'ls', 'id', 'sleep', 'ps', 'env', 'kill', 'touch'].map(
      (name): AddedEntry => ({ path: `usr/local/bin/${name}`, link: '/usr/bin/busybox' }),
    ),
  ],
};

function legoLayer({ lego }: StandInParts): LayerRecipe {
  const program = lego ?? {
    text: '#!/bin/sh\necho "lego was not requested with needs()" >&2; exit 1\n',
  };
  return ours([{ path: 'lego', executable: true, ...program }]);
}

function engineLayer({ engine, llama }: StandInParts): LayerRecipe {
  return ours([
    { path: 'usr/lib/ollama/ollama.mjs', text: engine },
    { path: 'usr/lib/ollama/index.node', ...llama },
    {
      path: 'usr/bin/ollama',
      text: readFileSync(new URL('../stand-ins/engine/ollama.sh', import.meta.url), 'utf8'),
      executable: true,
    },
  ]);
}

function uiLayer({ ui }: StandInParts): LayerRecipe {
  return ours([
    { path: 'app/backend/server.mjs', text: ui },
    { path: 'app/backend/start.sh', text: 'exec node /app/backend/server.mjs\n' },
    { path: 'app/backend/data', folder: true },
  ]);
}

function frontEnd({ frontEnd: program }: StandInParts, file: string): LayerRecipe {
  return ours([
    { path: `app/${file}`, text: program },
    { path: 'app/package.json', text: '{"type":"module"}\n' },
    { path: 'usr/bin/node', link: '/usr/local/bin/node' },
  ]);
}

function relayLayer({ relay }: StandInParts): LayerRecipe {
  return ours([{ path: recipes.relay.path, text: relay }]);
}

function ours(adds: readonly AddedEntry[]): LayerRecipe {
  return { packages: [], compression: 'gzip', adds };
}

function debian(...packages: string[]): LayerRecipe {
  return { packages, compression: 'gzip' };
}

function image(
  registry: StandIn['registry'],
  repository: string,
  tag: string,
  layers: readonly LayerRecipe[],
  config: ImageConfig,
): StandIn {
  return { registry, repository, tag, architectures: ['amd64'], format: 'oci', layers, config };
}
