/** The components of the stack whose images can be given. */
export const components = [
  'engine',
  'ui',
  'chat',
  'lobe',
  'relay',
  'tinyproxy',
  'gateway',
  'acme',
] as const;
export type Component = (typeof components)[number];

const prefix = 'LANDFALL_UPSTREAM_';

/** The environment variable that holds a component's image. */
export function variableOf(component: Component): string {
  return `${prefix}${component.toUpperCase()}`;
}

/** Image references by component, and what is wrong with the variables. */
export interface GivenImages {
  readonly images: Partial<Record<Component, string>>;
  readonly problems: readonly string[];
}

/** Reads which images are to be tested; empty variables count as not set. */
export function givenImages(environment: NodeJS.ProcessEnv): GivenImages {
  const known = new Map(components.map((component) => [variableOf(component), component]));
  const images: Partial<Record<Component, string>> = {};
  const problems: string[] = [];
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith(prefix) || !value) continue;
    const component = known.get(name);
    if (!component)
      problems.push(`${name} is not known; there are ${[...known.keys()].join(', ')}`);
    else if (!reference.test(value)) problems.push(`${name}=${value} is not an image reference`);
    else images[component] = value;
  }
  return { images, problems };
}

/** Host and path, then a tag or a digest: what is tested has to be named exactly. */
const reference = /^[\w.:/-]+(?::[\w.-]+|@sha256:[0-9a-f]{64})$/;
