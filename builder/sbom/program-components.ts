import { sha256Hex } from '#contract/trust/digest.ts';
import type { BundledPackage } from '../bundle/bundled-packages.ts';
import type { BundledProgram } from '../bundle/prebuilt-program.ts';
import { npmPurl } from './purl.ts';
import type { SbomComponent } from './sbom-component.ts';

/** License of Landfall. */
const ownLicense = 'Apache-2.0';

/** Returns the `ref` of a program of Landfall. */
export function programRef(name: string): string {
  return `program:${name}`;
}

/** Returns the component of a program of Landfall, which depends on its bundled packages. */
export function programComponent(
  name: string,
  version: string,
  { bytes, packages }: BundledProgram,
): SbomComponent {
  return {
    ref: programRef(name),
    type: 'application',
    name: name === 'landfall' ? name : `landfall-${name}`,
    version,
    sha256: sha256Hex(bytes),
    license: ownLicense,
    dependsOn: packages.map(refOf),
  };
}

/** Returns the components of the packages in programs, without duplicates. */
export function packageComponents(programs: readonly BundledProgram[]): SbomComponent[] {
  const packages = programs.flatMap((program) => program.packages);
  return [...new Map(packages.map((each) => [refOf(each), each])).entries()].map(
    ([ref, { name, version, license, sha512 }]): SbomComponent => ({
      ref,
      type: 'library',
      name,
      version,
      purl: ref,
      license,
      sha512,
    }),
  );
}

function refOf({ name, version }: BundledPackage): string {
  return npmPurl(name, version);
}
