import { LandfallError } from '#contract/errors.ts';
import type { Appliance } from '../../inputs/config/appliance.ts';
import { imageLicenses } from '../../inputs/licenses/image-licenses.ts';
import { type DeclaredLicense, type License, sourceOf } from '../../inputs/licenses/license.ts';
import {
  composePluginLicense,
  licenseOfModel,
  nodeLicense,
  singBoxLicense,
} from '../../inputs/licenses/other-licenses.ts';
import { isGguf } from '../../inputs/lock/lock.ts';
import { parseImageName } from '../../inputs/sources/image-name.ts';
import type { Selected, SelectedModel } from '../archive/selection.ts';

/** A third-party work of a release. */
export interface Work {
  /** Its `ref` in the SBOM. */
  readonly ref: string;
  /** Name of the component or model; `node`, `sing-box` and `compose-plugin`. */
  readonly name: string;
  /** What it is, such as an image name. */
  readonly origin: string;
  readonly version?: string | undefined;
  /** Whether the bundle contains it. */
  readonly carried: boolean;
  /** Undefined if it is not known. */
  readonly license: License | undefined;
  /** URL of the source code of this version. */
  readonly source?: string | undefined;
}

interface Contents {
  readonly kind: 'thin' | 'full';
  readonly components: readonly Selected[];
  readonly models: readonly SelectedModel[];
}

/** Returns the third-party works of a release with their licenses, in the order of the appliance. */
export function worksOf(appliance: Appliance, { kind, components, models }: Contents): Work[] {
  const isFull = kind === 'full';
  return [
    ...components.map(({ name, program, locked }) => {
      const known = licenseOfImage(locked.image);
      const license = declaredAs(name, appliance.components[name]?.license) ?? known.license;
      const ref = `image:${name}${program ? ':base' : ''}`;
      const carried = isFull || program !== undefined;
      return work({ ref, name, origin: locked.image, version: known.version, carried, license });
    }),
    work({
      ...{ ref: 'runtime:node', name: 'node', origin: 'npm', carried: true },
      ...{ version: appliance.node.version, license: nodeLicense },
    }),
    ...(appliance.clients
      ? [
          work({
            ...{ ref: 'runtime:sing-box', name: 'sing-box', origin: 'SagerNet/sing-box' },
            ...{ version: appliance.clients['sing-box'].version, carried: true },
            license: singBoxLicense,
          }),
        ]
      : []),
    work({
      ...{ ref: 'runtime:docker-compose', name: 'compose-plugin', carried: isFull },
      ...{ origin: 'docker/compose', version: appliance.compose_plugin.version },
      license: composePluginLicense,
    }),
    ...models.map(({ name, carried, locked }) => {
      const declared = appliance.models.find((model) => model.name === name)?.license;
      const known = isGguf(locked) ? undefined : licenseOfModel(name);
      const license = declaredAs(name, declared) ?? known;
      const origin = isGguf(locked) ? 'a GGUF file' : name;
      const version = /:([^:/]+)$/.exec(name)?.[1];
      return work({ ref: `model:${name}`, name, origin, version, carried, license });
    }),
  ];
}

function work(facts: Omit<Work, 'source'>): Work {
  const { license, version } = facts;
  return { ...facts, source: license && sourceOf(license, version) };
}

/** Returns the license of the publisher's image, and the version in its tag. */
function licenseOfImage(image: string): Pick<Work, 'license' | 'version'> {
  const parsed = parseImageName(image);
  if (parsed.transport !== 'registry') return { license: undefined };
  const { registry, repository, tag } = parsed.reference;
  const name = `${registry}/${repository}`;
  const license = Object.hasOwn(imageLicenses, name) ? imageLicenses[name] : undefined;
  return { license, version: /\d+(?:\.\d+)+/.exec(tag ?? '')?.[0] ?? tag };
}

function declaredAs(product: string, declared: DeclaredLicense | undefined): License | undefined {
  if (declared === undefined) return undefined;
  return {
    product,
    spdx: declared.id,
    repository: declared.source,
    texts: [],
    redistribution: 'declared',
    condition: 'Declared in appliance.yaml.',
  };
}

/**
 * Rejects a bundle for the public whose license is unknown in part. An image from another repository
 * than its publisher's counts as unknown, because it may be modified.
 * @throws LandfallError LICENSE_UNKNOWN naming each component and model
 */
export function refuseUnlicensed(works: readonly Work[]): void {
  const unknown = works.filter(({ carried, license }) => carried && license === undefined);
  if (unknown.length === 0) return;
  const names = unknown.map(({ name }) => name);
  throw new LandfallError(
    'LICENSE_UNKNOWN',
    `the bundle cannot be published: the license is not known of ${names.join(', ')}`,
    {
      hint: `Leave it out with --without ${names[0]}, use the image of its publisher, or declare its license in appliance.yaml.`,
      problems: unknown.map(({ name, origin }) => ({
        message: `${name}: ${origin} may be modified, or is not in the table of licenses`,
      })),
    },
  );
}
