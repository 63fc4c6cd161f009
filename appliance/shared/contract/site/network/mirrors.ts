import { z } from 'zod';
import { modelMirrorPattern, parseModelMirror } from '../model-mirror.ts';
import { archiveUrl, bareUrl, webUrl } from '../urls.ts';
import { isHostAndPort } from './plain-host.ts';

const registryHost = z
  .string()
  .max(253)
  .regex(
    /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?$/,
    'must be the host of a registry, such as docker.io',
  )
  .refine(isHostAndPort, 'must be the host of a registry, such as docker.io');

const modelMirrorText =
  "must be a mirror of Ollama's registry, such as https://mirror.example or https://mirror.example/library";

/** The mirrors of a registry by its host. */
type RegistryMirrors = Readonly<Record<string, string | readonly string[]>>;

/** Returns the mirrors of a registry in the order of use. */
export function mirrorsOf(registries: RegistryMirrors, registry: string): readonly string[] {
  return [registries[registry] ?? []].flat();
}

/** Returns each mirror with the host of its registry. */
export function registryMirrors(
  registries: RegistryMirrors,
): (readonly [registry: string, mirror: string])[] {
  return Object.keys(registries).flatMap((registry) =>
    mirrorsOf(registries, registry).map((mirror) => [registry, mirror] as const),
  );
}

/** The mirrors of a site. */
export const mirrors = z
  .strictObject({
    apt: archiveUrl.optional().describe("A mirror of the distribution's archive."),
    apt_security: archiveUrl
      .optional()
      .describe("A mirror of the distribution's security archive."),
    registries: z
      .record(registryHost, z.union([webUrl, z.array(webUrl).min(1).max(4)]))
      .default({})
      .describe('Mirrors by registry host, such as docker.io: one, or a list in the order of use.'),
    files: webUrl.optional().describe('A mirror of the files that a thin bundle does not contain.'),
    models: z
      .string()
      .max(512)
      .regex(modelMirrorPattern, modelMirrorText)
      .refine((text) => isHostAndPort(parseModelMirror(text)?.host ?? ''), modelMirrorText)
      .optional()
      .describe("A mirror of Ollama's registry for the models that the server pulls."),
    github: bareUrl
      .optional()
      .describe('A mirror of https://github.com for the files that a build downloads.'),
    hub: bareUrl
      .optional()
      .describe('A mirror of https://huggingface.co for login users, as HF_ENDPOINT.'),
    npm: bareUrl
      .optional()
      .describe("A mirror of npm's registry for login users, as NPM_CONFIG_REGISTRY."),
    pip: bareUrl
      .optional()
      .describe('A mirror of https://pypi.org/simple for login users, as PIP_INDEX_URL.'),
  })
  .default({ registries: {} })
  .describe('Mirrors that are close to the server.');
