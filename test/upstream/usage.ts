import { components, variableOf } from './images.ts';

const examples: Partial<Record<(typeof components)[number], string>> = {
  engine: 'ollama/ollama:0.35.1',
  ui: 'ghcr.io/open-webui/open-webui:v0.11.4',
  chat: 'yidadaa/chatgpt-next-web:v2.16.1',
  lobe: 'lobehub/lobe-chat:1.143.3',
  tinyproxy: 'kalaksi/tinyproxy:1.7',
  gateway: 'nginx:1.30.5-alpine',
  acme: 'certbot/certbot:v5.8.0',
};

/** Usage of `npm run test:upstream`. */
export const usage = `npm run test:upstream brings the stack up from images that you name and runs the smoke tests
against it. Name one or more; small stand-ins replace the others:

${components.map((name) => `  ${variableOf(name).padEnd(28)}${examples[name] ?? 'an image of our relay'}`).join('\n')}

    LANDFALL_UPSTREAM_ENGINE=ollama/ollama:0.35.1 npm run test:upstream

It uses the Docker engine of DOCKER_HOST, else the one of this machine, else one of its own. An
image that the engine has already (docker load) is not pulled. It takes Linux and root, because it
asks containers by their addresses and writes files for their users.`;
