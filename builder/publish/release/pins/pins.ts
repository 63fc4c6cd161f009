import type { Appliance } from '../../../inputs/config/appliance.ts';
import { lockInputs } from '../../../inputs/lock/inputs.ts';
import { parseReference } from '../../../inputs/registry/reference.ts';

/** A version that this repository names, and where its newer versions are published. */
export interface Pin {
  readonly name: string;
  readonly version: string;
  /** How many leading numbers of the version stay the same: 1 for the line 24, 2 for 1.30. */
  readonly line: 1 | 2;
  /** A package in the programs of a release: only an advisory keeps it from being released. */
  readonly isLibrary?: boolean;
  readonly source:
    | { readonly kind: 'image'; readonly registry: string; readonly repository: string }
    | { readonly kind: 'npm'; readonly package: string }
    | { readonly kind: 'go'; readonly module: string }
    | { readonly kind: 'none' };
}

/** Node publishes its security fixes in new minor versions of a line such as 24. */
const lineOfNode = 1;

/** Returns the versions that an appliance names. Models have none. */
export function pinsOf(appliance: Appliance): readonly Pin[] {
  const { images, files } = lockInputs(appliance);
  return [
    ...Object.values(images).map(pinOfImage),
    ...Object.values(files).flatMap((platforms) =>
      Object.values(platforms).flatMap((urls) => urls.slice(0, 1).map(pinOfFile)),
    ),
  ];
}

/** Returns the npm packages that are bundled into the programs of a release. */
export function pinsOfPackages(
  packages: readonly { readonly name: string; readonly version: string }[],
): readonly Pin[] {
  const pins = packages.map(({ name, version }): Pin => {
    const source = { kind: 'npm', package: name } as const;
    return { name: `npm:${name}@${version}`, version, line: 1, isLibrary: true, source };
  });
  return [...new Map(pins.map((pin) => [pin.name, pin])).values()];
}

function pinOfImage(image: string): Pin {
  // Archives and images of Docker on this computer have no registry.
  if (/^[a-z-]+:[/.]|^docker-daemon:/.test(image)) {
    return { name: image, version: '', line: 2, source: { kind: 'none' } };
  }
  const { registry, repository, tag = '' } = parseReference(image);
  return {
    name: image,
    version: tag,
    line: repository === 'library/node' ? lineOfNode : 2,
    source: { kind: 'image', registry, repository },
  };
}

function pinOfFile(url: string): Pin {
  const [, name, version = ''] = /^npm:(.+)@(.+)$/.exec(url) ?? [];
  if (name) return { name: url, version, line: lineOfNode, source: { kind: 'npm', package: name } };
  const [, tag = ''] =
    /^https:\/\/github\.com\/docker\/compose\/releases\/download\/([^/]+)\//.exec(url) ?? [];
  const module = `github.com/docker/compose/v${/\d+/.exec(tag)?.[0]}`;
  const source = tag ? ({ kind: 'go', module } as const) : ({ kind: 'none' } as const);
  return { name: url, version: tag, line: 2, source };
}

/** Splits `v1.30.5-alpine3.24` into its prefix, its numbers and its suffix without numbers. */
const versionPattern = /^(v?)(\d+(?:\.\d+)*)((?:-[a-z]+[\d.]*)?)$/;
const prereleasePattern = /^-(?:alpha|beta|dev|next|nightly|pre|preview|rc)/;

/**
 * Returns the newest of the published versions in the line of a pin, with the same prefix, suffix and
 * count of numbers. Undefined without any, or if the pinned version has no numbers.
 */
export function newestInLine(pin: Pin, published: readonly string[]): string | undefined {
  const own = versionPattern.exec(pin.version);
  if (!own) return undefined;
  const [, prefix, ownNumbers = '', suffix = ''] = own;
  const line = ownNumbers.split('.').map(Number);
  const candidates = published.flatMap((text) => {
    const [, each, numbers = '', end = ''] = versionPattern.exec(text) ?? [];
    if (each !== prefix || end !== suffix || prereleasePattern.test(end)) return [];
    const parts = numbers.split('.').map(Number);
    const sameLine = parts.slice(0, pin.line).every((part, index) => part === line[index]);
    return sameLine && parts.length === line.length ? [{ text, parts }] : [];
  });
  return candidates.sort((a, b) => compareNumbers(b.parts, a.parts))[0]?.text;
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
