import type { BundledProgram } from '../bundle/prebuilt-program.ts';
import type { Scripts } from '../bundle/program.ts';
import type { ReleaseFacts } from '../bundle/release-of.ts';
import type { Selected } from '../bundle/select-components.ts';
import type { Appliance } from '../config/appliance.ts';
import type { Lock } from '../lock/lock.ts';
import type { Work } from '../notice/works.ts';
import { builderVersion } from '../version.ts';
import { encodeSbom } from './encode.ts';
import { imageComponents } from './image-components.ts';
import { modelComponents } from './model-components.ts';
import { packageComponents, programComponent, programRef } from './program-components.ts';
import { runtimeComponents } from './runtime-components.ts';
import type { SbomComponent } from './sbom-component.ts';

export interface SbomInputs {
  readonly facts: ReleaseFacts;
  readonly appliance: Pick<Appliance, 'node' | 'compose_plugin' | 'clients'>;
  readonly lock: Pick<Lock, 'files'>;
  readonly components: ReadonlyArray<Pick<Selected, 'name' | 'program'>>;
  /** Third-party works with their licenses. */
  readonly works: readonly Work[];
  /** The server's program. */
  readonly program: BundledProgram;
  /** Programs of assembled images. */
  readonly scripts: Scripts;
}

/**
 * Returns the SBOM of a release in CycloneDX: images, models, Node, the Compose plugin, the proxy
 * client, programs of Landfall and their packages. It does not list the contents of images. The output is reproducible.
 */
export async function sbomOf(inputs: SbomInputs): Promise<Buffer> {
  const { facts, appliance, lock, components, works, program, scripts } = inputs;
  const programOf = new Map(components.map((each) => [each.name, each.program]));
  const licenses = new Map(works.map((work) => [work.ref, work]));
  const all = [
    ...facts.images.flatMap((image) =>
      imageComponents(image, facts.arch, programOf.get(image.component)),
    ),
    ...runtimeComponents(appliance, lock, `linux/${facts.arch}`),
    ...modelComponents(facts.models),
    programComponent('landfall', builderVersion, program),
    ...[...scripts].map(([name, script]) => programComponent(name, builderVersion, script)),
    ...packageComponents([program, ...scripts.values()]),
  ].map((component) => licensed(component, licenses.get(component.ref)));
  return await encodeSbom({
    product: productComponent(facts, all),
    components: all,
    created: new Date(facts.created),
    builderVersion,
  });
}

/** Adds the license and the source of a third-party work to its component. */
function licensed(component: SbomComponent, work: Work | undefined): SbomComponent {
  if (!work?.license) return component;
  return { ...component, license: work.license.spdx, source: work.source };
}

/** Returns the product, which depends on all components that are not dependencies of others. */
function productComponent(
  { product, version, arch, kind }: ReleaseFacts,
  all: readonly SbomComponent[],
): SbomComponent {
  const dependencies = new Set(all.flatMap(({ dependsOn = [] }) => dependsOn));
  return {
    ref: 'product',
    type: 'application',
    name: product,
    version,
    properties: { 'landfall:arch': arch, 'landfall:kind': kind },
    dependsOn: all
      .map(({ ref }) => ref)
      .filter((ref) => !dependencies.has(ref) || ref === programRef('landfall')),
  };
}
