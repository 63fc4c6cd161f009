import { sha256Hex } from '#contract/trust/digest.ts';
import type { BundledPackage } from '../bundle/bundled-packages.ts';
import type { BundledProgram } from '../bundle/prebuilt-program.ts';
import type { Part } from './part.ts';
import { npmPurl } from './purl.ts';

/** Landfall's own licence. */
const ownLicense = 'Apache-2.0';

/** How other parts refer to a program of ours. */
export function programRef(name: string): string {
  return `program:${name}`;
}

/** A program of ours, which is one file with the packages of others inside. */
export function programPart(
  name: string,
  version: string,
  { bytes, packages }: BundledProgram,
): Part {
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

/** The packages inside some programs, each once. */
export function packageParts(programs: readonly BundledProgram[]): Part[] {
  const packages = programs.flatMap((program) => program.packages);
  return [...new Map(packages.map((each) => [refOf(each), each])).entries()].map(
    ([ref, { name, version, license, sha512 }]): Part => ({
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
