import type { Release } from '#contract/bundle/release.ts';
import type { Site } from '#contract/site/site.ts';
import type { LocalModels } from '../stack/local-models.ts';
import { localModels } from '../stack/local-models.ts';
import { overridesFile } from '../stack/render/overrides.ts';
import { renderStack } from '../stack/render/stack.ts';
import type { RenderedFile } from '../stack/rendered-file.ts';
import type { PreviewSecrets } from './secrets.ts';

/** The computer on which a preview runs, as its Docker describes it. */
export interface PreviewComputer {
  /** Bytes. */
  readonly memory: number;
  /** 0: Docker cannot limit CPUs. */
  readonly cpus: number;
  /** Whether Docker supports `start_interval` of health checks. */
  readonly startInterval: boolean;
}

/** All inputs of the rendered files of a preview. */
interface PreviewInput {
  /** Result of `previewSite`. */
  readonly site: Site;
  /** With the models of the bundle only. */
  readonly release: Pick<Release, 'version' | 'models'>;
  readonly secrets: PreviewSecrets;
  readonly computer: PreviewComputer;
  readonly project: string;
}

/** What Compose and the containers of a preview read. */
interface RenderedPreview {
  /** Relative to the stack's folder. */
  readonly files: readonly RenderedFile[];
  /** Names of additional Compose files in the bundle. */
  readonly overrides: readonly string[];
  readonly models: LocalModels;
}

/**
 * Renders the files of the stack as a server does, for this computer.
 * @throws LandfallError STATE_INVALID when a secret is missing or cannot be quoted
 */
export function renderPreview(input: PreviewInput): RenderedPreview {
  const { site, release, secrets, computer, project } = input;
  const { memory, cpus, startInterval } = computer;
  const models = localModels(release, site, computer);
  const files = renderStack({
    site,
    release: release.version,
    models,
    secrets,
    server: { memory, cpus, addresses: [], gpu: 'none', ipv6: false, startInterval },
    project,
  });
  const overrides = files.find(({ path }) => path === overridesFile)?.content ?? '';
  return { files, overrides: overrides.split('\n').filter(Boolean), models };
}
