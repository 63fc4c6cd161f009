import type { ReleaseImage, ReleaseModel } from '#contract/bundle/release.ts';
import { sha256Hex } from '#contract/trust/digest.ts';
import { builderVersion } from '../../base/version.ts';
import type { Appliance } from '../../inputs/config/appliance.ts';
import type { Program } from '../../inputs/config/appliance-schema.ts';
import type { Lock } from '../../inputs/lock/lock.ts';
import { parseImageName } from '../../inputs/sources/image-name.ts';
import type { BundledPackage, BundledProgram } from '../archive/bundled-program.ts';
import type { Scripts } from '../archive/program.ts';
import type { ReleaseFacts } from '../archive/release-facts.ts';
import type { Selected } from '../archive/selection.ts';
import type { Work } from '../notice/works.ts';
import { encodeSbom, type SbomComponent } from './encode.ts';
import { npmPurl, ociPurl, runtimeComponents } from './runtime-components.ts';

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
  return encodeSbom({
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
    properties: { arch, kind },
    dependsOn: all
      .map(({ ref }) => ref)
      .filter((ref) => !dependencies.has(ref) || ref === programRef('landfall')),
  };
}

/** Returns the components of models, with the digest of the manifest if it is known. */
function modelComponents(models: readonly ReleaseModel[]): SbomComponent[] {
  return models.map(({ name, manifest, size }): SbomComponent => {
    const [, plain = name, tag] = /^(.+):([^:/]+)$/.exec(name) ?? [];
    return {
      ref: `model:${name}`,
      type: 'machine-learning-model',
      name: plain,
      version: tag,
      sha256: manifest,
      properties: { manifest, size },
    };
  });
}

/** Returns the component of an image and, for an assembled image, the component of its base. */
function imageComponents(
  image: ReleaseImage,
  arch: string,
  program: Program | undefined,
): SbomComponent[] {
  const { component, reference, index, manifest, config, size, optional, base } = image;
  const ref = `image:${component}`;
  const baseRef = `${ref}:base`;
  const own: SbomComponent = {
    ref,
    ...container(reference, index, arch),
    sha256: manifest,
    optional,
    properties: { component, index, manifest, config, size },
    dependsOn: base ? [baseRef, ...(program ? [programRef(program)] : [])] : [],
  };
  if (!base) return [own];
  const below: SbomComponent = {
    ref: baseRef,
    ...container(base.reference, base.index, arch),
    optional,
    properties: { index: base.index },
  };
  return [own, below];
}

/** Returns name and package URL. A local image, such as `oci:folder`, has no package URL. */
function container(
  reference: string,
  index: string,
  arch: string,
): Pick<SbomComponent, 'type' | 'name' | 'version' | 'purl'> {
  const parsed = parseImageName(reference);
  if (parsed.transport !== 'registry') return { type: 'container', name: reference };
  const { registry, repository, tag } = parsed.reference;
  return {
    type: 'container',
    name: `${registry}/${repository}`,
    version: tag,
    purl: ociPurl(parsed.reference, index, arch),
  };
}

/** License of Landfall. */
const ownLicense = 'Apache-2.0';

/** Returns the `ref` of a program of Landfall. */
function programRef(name: string): string {
  return `program:${name}`;
}

/** Returns the component of a program of Landfall, which depends on its bundled packages. */
function programComponent(
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
function packageComponents(programs: readonly BundledProgram[]): SbomComponent[] {
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
