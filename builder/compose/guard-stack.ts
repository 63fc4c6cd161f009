import type { FieldProblem } from '#contract/site/site-problem.ts';
import type { ComposeFile, ComposeOverride } from './compose-schema.ts';
import { checkService, isOwnFile } from './service-rules.ts';

const imagePattern = /^landfall\.local\/([a-z][a-z0-9-]*):\$\{LANDFALL_RELEASE\}$/;

/**
 * Checks that a stack does not pull unverified images, publish ports, access the host or contain
 * secrets. Returns all problems, and the component of each service.
 */
export function guardStack(
  file: ComposeFile,
  components: readonly string[],
): { problems: FieldProblem[]; services: Map<string, string> } {
  const problems: FieldProblem[] = [];
  const services = new Map<string, string>();
  for (const [name, service] of Object.entries(file.services)) {
    const component = imagePattern.exec(service.image)?.[1];
    if (component && components.includes(component)) services.set(name, component);
    else problems.push(foreignImage(name, service.image, component, components));
    problems.push(...checkService(service, name, false));
  }
  problems.push(...foreignSecretFiles(file));
  return { problems, services };
}

/** Returns the components that a stack runs. */
export function componentsOf({ services }: ComposeFile): Set<string> {
  const named = Object.values(services).map(({ image }) => imagePattern.exec(image)?.[1]);
  return new Set(named.filter((name) => name !== undefined));
}

/**
 * Checks an override file, which some servers merge into the stack, such as those with a GPU.
 * @param stack names of the services in compose.yaml
 */
export function guardOverride(file: ComposeOverride, stack: ReadonlySet<string>): FieldProblem[] {
  const services = Object.entries(file.services).flatMap(([name, service]) => {
    const image = service.image === undefined || imagePattern.test(service.image);
    return [
      ...(image ? [] : [foreignImage(name, service.image ?? '', undefined, [])]),
      ...(service.image === undefined && !stack.has(name) ? [absent(name)] : []),
      ...checkService(service, name, true),
    ];
  });
  return [...services, ...foreignSecretFiles(file)];
}

/** With such an override, Compose rejects the whole stack. */
function absent(name: string): FieldProblem {
  return {
    at: ['services', name],
    message: `${name} is not in compose.yaml`,
    hint: 'Remove it from this file, or add `image`.',
  };
}

function foreignImage(
  name: string,
  image: string,
  component: string | undefined,
  components: readonly string[],
): FieldProblem {
  const at = ['services', name, 'image'];
  if (component) {
    return {
      at,
      message: `${name} runs ${component}, which the appliance does not have`,
      hint: `Add ${component} to \`components\` in appliance.yaml, or use one of: ${components.join(', ')}.`,
    };
  }
  return {
    at,
    message: `${name} uses ${image}, which is not an image of the release`,
    hint: 'Write landfall.local/<component>:${LANDFALL_RELEASE} and add the image to appliance.yaml.',
  };
}

/** Checks `secrets` and `configs`: Compose mounts their files like any other host path. */
function foreignSecretFiles({ secrets = {}, configs = {} }: ComposeOverride): FieldProblem[] {
  return Object.entries({ secrets, configs }).flatMap(([kind, entries]) =>
    Object.entries(entries).flatMap(([name, { file }]) =>
      file !== undefined && isOwnFile(file)
        ? []
        : [
            {
              at: [kind, name],
              message: `${kind}.${name} is not a file that the server creates`,
              hint: 'Write file: ${LANDFALL_STATE:-/var/lib/landfall}/stack/<component>/<file>.',
            },
          ],
    ),
  );
}
