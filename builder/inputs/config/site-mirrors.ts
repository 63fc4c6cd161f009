import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { defaultModelHost } from '#contract/bundle/model-name.ts';
import { LandfallError } from '#contract/errors.ts';
import { parseModelMirror } from '#contract/site/model-mirror.ts';
import { mirrorsOf, mirrors as mirrorsSchema } from '#contract/site/network/mirrors.ts';
import { type Language, languages } from '#contract/text/language.ts';
import { readYaml } from './yaml/read.ts';

/** The mirrors of a site that also serve a build, and its language. */
interface SiteMirrors {
  /** Base URLs by host of a registry or of files. */
  readonly hosts: ReadonlyMap<string, readonly string[]>;
  /** Environment variables of the mirrors of npm and of the model hub. */
  readonly env: NodeJS.ProcessEnv;
  readonly language?: Language | undefined;
}

/**
 * Reads the mirrors and the language of the `site.yaml` beside an appliance; none without one. The laptop that builds
 * is often in the same network as the server.
 * @throws LandfallError CONFIG_INVALID for invalid mirrors, CONFIG_… for broken YAML. Other fields are not read
 */
export async function readSiteMirrors(
  { cwd }: { readonly cwd: string },
  appliance: string | undefined,
): Promise<SiteMirrors> {
  const path = appliance === undefined ? undefined : resolve(cwd, dirname(appliance), 'site.yaml');
  if (path === undefined || !existsSync(path)) return { hosts: new Map(), env: {} };
  const { value } = await readYaml(path);
  const site = value as { mirrors?: unknown; language?: unknown } | null;
  const parsed = mirrorsSchema.safeParse(site?.mirrors);
  if (!parsed.success) {
    throw new LandfallError('CONFIG_INVALID', `the mirrors of ${path} are invalid`, {
      hint: 'Fix `mirrors` in the site; docs/site.md lists its fields.',
      problems: parsed.error.issues.map((issue) => ({
        message: `${['mirrors', ...issue.path].join('.')}: ${issue.message}`,
      })),
    });
  }
  const { registries, github, models, hub, npm } = parsed.data;
  const model = parseModelMirror(models ?? '');
  return {
    hosts: new Map([
      ...Object.keys(registries).map((host) => [host, mirrorsOf(registries, host)] as const),
      ...(github === undefined ? [] : [['github.com', [github]] as const]),
      // Registries have no setting for the namespace of a mirror.
      ...(model === undefined || model.namespace !== undefined
        ? []
        : [[defaultModelHost, [`${model.insecure ? 'http' : 'https'}://${model.host}`]] as const]),
    ]),
    language: languages.find((each) => each === site?.language),
    env: { ...(hub && { HF_ENDPOINT: hub }), ...(npm && { npm_config_registry: npm }) },
  };
}
