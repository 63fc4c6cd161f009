import type { BundledProgram } from '../bundle/prebuilt-program.ts';
import type { Scripts } from '../bundle/program.ts';
import type { ReleaseFacts } from '../bundle/release-of.ts';
import type { Selected } from '../bundle/select-components.ts';
import type { Appliance } from '../config/appliance.ts';
import type { Lock } from '../lock/lock.ts';
import { builderVersion } from '../version.ts';
import { encodeSbom } from './encode.ts';
import { imageParts } from './image-parts.ts';
import { modelParts } from './model-parts.ts';
import type { Part } from './part.ts';
import { packageParts, programPart, programRef } from './program-parts.ts';
import { runtimeParts } from './runtime-parts.ts';

export interface SbomInputs {
  readonly facts: ReleaseFacts;
  readonly appliance: Pick<Appliance, 'node' | 'compose_plugin'>;
  readonly lock: Pick<Lock, 'files'>;
  readonly components: ReadonlyArray<Pick<Selected, 'name' | 'program'>>;
  /** The server's program. */
  readonly program: BundledProgram;
  /** Programs in images. */
  readonly scripts: Scripts;
}

/**
 * What a release is made of, as CycloneDX: images, models, what runs beside them, our programs and
 * the packages inside these. It does not look into images: what those contain is for their makers'
 * documents and for scanners to say. The same release gives the same bytes.
 */
export async function sbomOf(inputs: SbomInputs): Promise<Buffer> {
  const { facts, appliance, lock, components, program, scripts } = inputs;
  const programOf = new Map(components.map((each) => [each.name, each.program]));
  const parts = [
    ...facts.images.flatMap((image) =>
      imageParts(image, facts.arch, programOf.get(image.component)),
    ),
    ...runtimeParts(appliance, lock, `linux/${facts.arch}`),
    ...modelParts(facts.models),
    programPart('landfall', builderVersion, program),
    ...[...scripts].map(([name, script]) => programPart(name, builderVersion, script)),
    ...packageParts([program, ...scripts.values()]),
  ];
  return await encodeSbom({
    about: productPart(facts, parts),
    parts,
    created: new Date(facts.created),
    builderVersion,
  });
}

/** The product itself; what is inside another part is that one's matter. */
function productPart({ product, version, arch, kind }: ReleaseFacts, parts: readonly Part[]): Part {
  const inside = new Set(parts.flatMap(({ dependsOn = [] }) => dependsOn));
  return {
    ref: 'product',
    type: 'application',
    name: product,
    version,
    properties: { 'landfall:arch': arch, 'landfall:kind': kind },
    dependsOn: parts
      .map(({ ref }) => ref)
      .filter((ref) => !inside.has(ref) || ref === programRef('landfall')),
  };
}
