import { components, variableOf } from './images.ts';

const examples: Partial<Record<(typeof components)[number], string>> = {
  engine: 'ollama/ollama:0.35.1',
  ui: 'ghcr.io/open-webui/open-webui:v0.12.4',
  chat: 'yidadaa/chatgpt-next-web:v2.16.1',
  lobe: 'lobehub/lobe-chat:1.143.3',
  balancer: 'haproxy:3.2.23-alpine3.24',
  tinyproxy: 'kalaksi/tinyproxy:1.7',
  gateway: 'nginx:1.30.7-alpine',
  acme: 'goacme/lego:v5.6.0',
};

/** Usage of `npm run test:upstream`. */
export const usage = `npm run test:upstream starts the stack from images of your choice and runs the smoke tests.
Set one or more variables; small stand-ins replace the other images:

${components.map((name) => `  ${variableOf(name).padEnd(28)}${examples[name] ?? 'an image of our relay'}`).join('\n')}

    LANDFALL_UPSTREAM_ENGINE=ollama/ollama:0.35.1 npm run test:upstream

It uses the Docker of DOCKER_HOST, or of this machine, or starts a separate one. An image that Docker
already has (docker load) is not pulled. It must be run as root on Linux, because it connects to
containers by their addresses and writes files with their owners.`;
