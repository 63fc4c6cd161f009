import { basename } from 'node:path';
import { LandfallError } from '#contract/errors.ts';
import type { Site } from '#contract/site/site.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import type { Reporter } from '../../base/progress/reporter.ts';
import type { BundleReader } from './bundle-reader.ts';
import type { Docker } from './docker/docker.ts';
import type { DockerFacts } from './docker/facts.ts';
import type { PreviewFolder } from './state.ts';

/** What the steps of a preview share. */
export interface Preview {
  readonly name: string;
  /** Name of the Compose project. */
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
  readonly docker: Docker;
  readonly facts: DockerFacts;
  readonly folder: PreviewFolder;
  readonly reader: BundleReader;
  /** The site of the user without host names, or the default one. */
  readonly site: Site;
  readonly reporter: Reporter;
}

const pattern = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;

/**
 * Returns the name of a preview: the given one, or one for the folder. Folders with the same last name
 * get different names.
 * @throws LandfallError USAGE
 */
export function previewName(folder: string, given: string | undefined): string {
  if (given === undefined) return nameOfFolder(folder);
  if (pattern.test(given)) return given;
  throw new LandfallError('USAGE', '--name is not a valid name', {
    hint: 'Use up to 32 lower-case letters, digits and dashes.',
  });
}

function nameOfFolder(folder: string): string {
  const words = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 20)
    .replaceAll(/^-+|-+$/g, '');
  const hash = sha256Hex(folder).slice(0, 6);
  return words === '' ? hash : `${words}-${hash}`;
}

/** Returns the name of the Compose project, the prefix of containers, networks and volumes. */
export function projectOf(name: string): string {
  return `landfall-preview-${name}`;
}
