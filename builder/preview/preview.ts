import type { Site } from '#contract/site/site.ts';
import type { Reporter } from '../progress/reporter.ts';
import type { BundleReader } from './bundle-reader.ts';
import type { Docker } from './docker/docker.ts';
import type { DockerFacts } from './docker/facts.ts';
import type { PreviewFolder } from './state.ts';

/** What the steps of a preview share. */
export interface Preview {
  readonly name: string;
  /** Name of the Compose project. */
  readonly project: string;
  /** Folder in which the command was run. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly docker: Docker;
  readonly facts: DockerFacts;
  readonly folder: PreviewFolder;
  readonly reader: BundleReader;
  /** The site of the user without host names, or the default one. */
  readonly site: Site;
  readonly reporter: Reporter;
}
