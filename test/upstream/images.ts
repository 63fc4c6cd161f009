/** Components of the stack whose images can be replaced. */
export const components = [
  'engine',
  'ui',
  'chat',
  'lobe',
  'relay',
  'balancer',
  'tinyproxy',
  'gateway',
  'acme',
] as const;
export type Component = (typeof components)[number];

const prefix = 'LANDFALL_UPSTREAM_';

/** Returns the environment variable of a component's image. */
export function variableOf(component: Component): string {
  return `${prefix}${component.toUpperCase()}`;
}

/** Image references by component, and problems of the variables. */
export interface GivenImages {
  readonly images: Partial<Record<Component, string>>;
  readonly problems: readonly string[];
}

/** Reads which images to test; empty variables count as unset. */
export function givenImages(environment: NodeJS.ProcessEnv): GivenImages {
  const known = new Map(components.map((component) => [variableOf(component), component]));
  const images: Partial<Record<Component, string>> = {};
  const problems: string[] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith(prefix) || !value) continue;
    const component = known.get(name);
    if (!component) problems.push(`${name} is unknown; known: ${[...known.keys()].join(', ')}`);
    else if (!reference.test(value)) problems.push(`${name}=${value} is not an image reference`);
    else images[component] = value;
  }
  return { images, problems };
}

/** Host and path, then a tag or a digest: a reference must be exact. */
const reference = /^[\w.:/-]+(?::[\w.-]+|@sha256:[0-9a-f]{64})$/;
