import type { ComposeFile, ComposeOverride, OverrideService } from './compose-schema.ts';
import {
  fewRights,
  isOwnFile,
  keptInside,
  loopbackOnly,
  neverPulled,
  noHostPaths,
  noSecrets,
  type ServiceRule,
} from './service-rules.ts';
import type { StackProblem } from './stack-problem.ts';

const imagePattern = /^landfall\.local\/([a-z][a-z0-9-]*):\$\{LANDFALL_RELEASE\}$/;
const rules: readonly ServiceRule[] = [
  neverPulled,
  keptInside,
  fewRights,
  loopbackOnly,
  noHostPaths,
  noSecrets,
];
/** An override adds to a service that was checked as a whole. */
const overrideRules = rules.filter((rule) => rule !== neverPulled);

/**
 * Checks a stack for what would pull unverified images, open ports, leave the container or carry
 * secrets. Finds every problem; gives the component that each service runs.
 */
export function guardStack(
  file: ComposeFile,
  components: readonly string[],
): { problems: StackProblem[]; services: Map<string, string> } {
  const problems: StackProblem[] = [];
  const services = new Map<string, string>();
  for (const [name, service] of Object.entries(file.services)) {
    const component = imagePattern.exec(service.image)?.[1];
    if (component && components.includes(component)) services.set(name, component);
    else problems.push(foreignImage(name, service.image, component, components));
    problems.push(...broken(rules, service, name));
  }
  problems.push(...foreignSecretFiles(file));
  return { problems, services };
}

/** The components that a stack runs. */
export function componentsOf({ services }: ComposeFile): Set<string> {
  const named = Object.values(services).map(({ image }) => imagePattern.exec(image)?.[1]);
  return new Set(named.filter((name) => name !== undefined));
}

/**
 * Checks a file that is laid over the stack on some servers, such as those with a GPU.
 * @param stack names of the services that it is laid over
 */
export function guardOverride(file: ComposeOverride, stack: ReadonlySet<string>): StackProblem[] {
  const services = Object.entries(file.services).flatMap(([name, service]) => {
    const image = service.image === undefined || imagePattern.test(service.image);
    return [
      ...(image ? [] : [foreignImage(name, service.image ?? '', undefined, [])]),
      ...(service.image === undefined && !stack.has(name) ? [absent(name)] : []),
      ...broken(overrideRules, service, name),
    ];
  });
  return [...services, ...foreignSecretFiles(file)];
}

function broken(
  which: readonly ServiceRule[],
  service: OverrideService,
  name: string,
): StackProblem[] {
  return which.flatMap((rule) => rule(service, name)).filter((found) => found !== undefined);
}

/** Compose would refuse the whole stack on the servers where the file is laid over it. */
function absent(name: string): StackProblem {
  return {
    at: ['services', name],
    message: `${name} is not in compose.yaml`,
    hint: 'Remove it here too, or give it an image.',
  };
}

function foreignImage(
  name: string,
  image: string,
  component: string | undefined,
  components: readonly string[],
): StackProblem {
  const at = ['services', name, 'image'];
  if (component) {
    return {
      at,
      message: `${name} runs ${component}, which the appliance does not have`,
      hint: `Add ${component} to \`components\` in appliance.yaml, or name one of: ${components.join(', ')}.`,
    };
  }
  return {
    at,
    message: `${name} names ${image}, which no release can have verified`,
    hint: 'Write landfall.local/<component>:${LANDFALL_RELEASE} and add the image to appliance.yaml.',
  };
}

/** Compose mounts the file of a secret or a configuration as it mounts anything else. */
function foreignSecretFiles({ secrets = {}, configs = {} }: ComposeOverride): StackProblem[] {
  return Object.entries({ secrets, configs }).flatMap(([kind, entries]) =>
    Object.entries(entries).flatMap(([name, { file }]) =>
      file !== undefined && isOwnFile(file)
        ? []
        : [
            {
              at: [kind, name],
              message: `${kind}.${name} is no file that the server makes`,
              hint: 'Write file: ${LANDFALL_STATE:-/var/lib/landfall}/stack/<component>/<file>.',
            },
          ],
    ),
  );
}
