import {
  componentNames,
  portComponents,
  serviceNames,
  variableOf,
} from '#contract/component-names.ts';
import type { ComponentName } from '#contract/components.ts';
import { whyEnabled } from '#contract/site/enabled.ts';
import { componentCode } from '../components/registry.ts';
import { envFile } from '../env-file.ts';
import { limitsOf } from '../limits.ts';
import { plainFile, type RenderedFile } from '../rendered-file.ts';
import type { StackInput } from '../stack-input.ts';

/** A hash of what each component reads. */
type ConfigurationHashes = ReadonlyMap<ComponentName, string>;

/** What Compose fills into `compose.yaml`. Nothing in it is secret: `docker inspect` shows it. */
export function renderEnvironment(input: StackInput, hashes: ConfigurationHashes): RenderedFile {
  return plainFile(
    '.env',
    `# Made by landfall for this site. Changes here are overwritten; change the site instead.\n${envFile(
      {
        COMPOSE_PROJECT_NAME: 'landfall',
        COMPOSE_PROFILES: profilesOf(input).join(','),
        LANDFALL_RELEASE: input.release,
        ...componentVariables(input),
        ...portVariables(input),
        ...limitVariables(input),
        ...hashVariables(hashes),
      },
    )}`,
  );
}

/** The optional services that run all the time: `compose.yaml` has a profile for each. */
function profilesOf({ site }: StackInput): string[] {
  return serviceNames.filter((name) => whyEnabled(site, name) !== undefined);
}

function componentVariables(input: StackInput): Record<string, string> {
  const variables = componentNames.map((name) => componentCode[name]?.variables?.(input));
  return Object.assign({}, ...variables);
}

function portVariables({ site: { ports } }: StackInput): Record<string, string> {
  return Object.fromEntries(
    portComponents.map((name) => [variableOf(name, 'PORT'), `${ports[name]}`]),
  );
}

function limitVariables({ server }: StackInput): Record<string, string> {
  const limits = limitsOf(server);
  return Object.fromEntries(
    serviceNames.flatMap((name) => {
      const { memory, cpus, pids } = limits[name];
      return [
        [variableOf(name, 'MEMORY'), `${memory}`],
        [variableOf(name, 'CPUS'), `${cpus}`],
        [variableOf(name, 'PIDS'), `${pids}`],
      ];
    }),
  );
}

function hashVariables(hashes: ConfigurationHashes): Record<string, string> {
  return Object.fromEntries(
    [...hashes].map(([name, hash]) => [variableOf(name, 'CONFIGURATION'), hash]),
  );
}
