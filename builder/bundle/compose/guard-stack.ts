import { variableOf } from '#contract/component-names.ts';
import type { FieldProblem } from '#contract/errors.ts';
import type { ComposeFile, ComposeOverride } from './compose-schema.ts';
import { checkService, isOwnFile } from './service-rules.ts';

/** Returns the component of an image in compose.yaml; undefined for another image. */
function componentIn(image: string): string | undefined {
  const [, component] = /^landfall\.local\/([a-z][a-z0-9-]*):/.exec(image) ?? [];
  return component && image === composeImage(component) ? component : undefined;
}

/** Returns the image of a component as compose.yaml names it. */
function composeImage(component: string): string {
  return `landfall.local/${component}:\${${variableOf(component, 'TAG')}}`;
}

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
    const component = componentIn(service.image);
    if (component && components.includes(component)) services.set(name, component);
    else problems.push(foreignImage(name, service.image, component, components));
    problems.push(...checkService(service, name, false));
  }
  problems.push(...foreignSecretFiles(file));
  return { problems, services };
}

/** Returns the components that a stack runs. */
export function componentsOf({ services }: ComposeFile): Set<string> {
  const named = Object.values(services).map(({ image }) => componentIn(image));
  return new Set(named.filter((name) => name !== undefined));
}

/**
 * Checks an override file, which some servers merge into the stack, such as those with a GPU.
 * @param stack names of the services in compose.yaml
 */
export function guardOverride(file: ComposeOverride, stack: ReadonlySet<string>): FieldProblem[] {
  const services = Object.entries(file.services).flatMap(([name, service]) => {
    const image = service.image === undefined || componentIn(service.image) !== undefined;
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
    hint: 'Write landfall.local/<component>:${<COMPONENT>_TAG}, such as landfall.local/ui:${UI_TAG}, and add the image to appliance.yaml.',
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
