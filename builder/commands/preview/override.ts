import { imageTag, type TaggedImage } from '#contract/bundle/release-name.ts';
import { variableOf } from '#contract/component-names.ts';
import { components } from '#contract/components.ts';
import type { PreviewPorts } from './render.ts';

/** Docker clients may add proxy variables of the user to containers, which a server does not have. */
const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'FTP_PROXY', 'ALL_PROXY', 'NO_PROXY'];

/** Ports of the gateway in its container. */
const inside = components.gateway.publicPorts;

/** Inputs of the override file. */
interface OverrideInput {
  readonly project: string;
  readonly ports: PreviewPorts;
  /** All services of `compose.yaml`. */
  readonly services: readonly string[];
}

/**
 * Renders the Compose file that changes the stack of a server into a preview: its own names for images
 * and containers, ports on the loopback address only, and no start with the computer. Everything else
 * stays as on a server. Requires Compose 2.24.4 or newer for `!override` and `!reset`.
 */
export function renderOverride({ project, ports, services }: OverrideInput): string {
  return ['services:', ...services.flatMap(serviceLines)].map((line) => `${line}\n`).join('');

  function serviceLines(name: string): string[] {
    return [
      `  ${name}:`,
      `    image: ${previewImages(project)}/${name}:\${${variableOf(name, 'TAG')}}`,
      '    container_name: !reset null',
      // Unlike `unless-stopped`, Docker does not apply it when the computer starts.
      '    restart: on-failure',
      '    environment:',
      ...[...proxyVariables, ...proxyVariables.map((each) => each.toLowerCase())].map(
        (each) => `      ${each}: ''`,
      ),
      ...(name === 'ui' ? uiLines() : []),
      ...(name === 'gateway' ? gatewayLines() : []),
    ];
  }

  function uiLines(): string[] {
    const origins = allowedOrigins(ports);
    return [`      WEBUI_URL: ${origins[0]}`, `      CORS_ALLOW_ORIGIN: ${origins.join(';')}`];
  }

  function gatewayLines(): string[] {
    const published = [
      [ports.https, inside.https],
      [ports.http, inside.http],
      [ports.docs, components.docs.containerPort],
    ];
    return [
      '    ports: !override',
      ...published
        .filter(([port]) => port !== undefined)
        .map(([port, target]) => `      - 127.0.0.1:${port}:${target}`),
    ];
  }
}

/** Returns the origins of pages that may use the chat UI, the main one first. */
function allowedOrigins({ https, ui }: PreviewPorts): string[] {
  const names = ['localhost', '127.0.0.1'];
  return [
    ...names.map((name) => `https://${name}:${https}`),
    ...names.map((name) => `http://${name}:${ui}`),
  ];
}

/** Returns the name of an image of a preview. Only this preview uses it, so it can be removed. */
export function previewImage(project: string, image: TaggedImage): string {
  return `${previewImages(project)}/${image.component}:${imageTag(image)}`;
}

/** Returns the common prefix of the names of a preview's images. */
export function previewImages(project: string): string {
  return `landfall.local/${project}`;
}
