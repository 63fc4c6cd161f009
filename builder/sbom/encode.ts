import type * as Models from '@cyclonedx/cyclonedx-library/Models';

/** A component of a release, as input for CycloneDX. */
export interface SbomComponent {
  /** ID in the document, unique. */
  readonly ref: string;
  readonly type: 'application' | 'container' | 'library' | 'machine-learning-model';
  readonly name: string;
  readonly version?: string | undefined;
  /** Package URL. */
  readonly purl?: string | undefined;
  /** 64 hex digits. */
  readonly sha256?: string | undefined;
  /** 128 hex digits. */
  readonly sha512?: string | undefined;
  /** As its publisher states it, usually an SPDX expression. */
  readonly license?: string | undefined;
  /** URL of the source code. */
  readonly source?: string | undefined;
  /** Whether a site must enable it. */
  readonly optional?: boolean | undefined;
  /** Download URLs. */
  readonly urls?: readonly string[] | undefined;
  /** Values without a CycloneDX field. */
  readonly properties?: Readonly<Record<string, string>> | undefined;
  /** `ref` of the components that it contains. */
  readonly dependsOn?: readonly string[] | undefined;
}

type Library = typeof import('./cyclonedx.ts');

interface Document {
  /** The product, which the document describes. */
  readonly product: SbomComponent;
  readonly components: readonly SbomComponent[];
  readonly created: Date;
  /** Landfall's own version. */
  readonly builderVersion: string;
}

/**
 * Encodes components as a CycloneDX 1.6 document in JSON. The output is reproducible: it has no random
 * serial number, and lists are sorted.
 */
export async function encodeSbom(document: Document): Promise<Buffer> {
  // Loaded on demand, because only builds need it.
  const library = await import('./cyclonedx.ts');
  const { Enums, Models, Serialize, Spec } = library;
  const { product, components, created, builderVersion } = document;
  const all = new Map([product, ...components].map((each) => [each.ref, modelOf(each, library)]));
  for (const { ref, dependsOn = [] } of [product, ...components]) {
    for (const other of dependsOn) link(all, ref, other);
  }
  const root = all.get(product.ref);
  const bom = new Models.Bom({
    metadata: new Models.Metadata({
      timestamp: created,
      lifecycles: new Models.LifecycleRepository([Enums.LifecyclePhase.Build]),
      tools: new Models.Tools({
        components: new Models.ComponentRepository([
          new Models.Component(Enums.ComponentType.Application, 'landfall', {
            version: builderVersion,
          }),
        ]),
      }),
      ...(root ? { component: root } : {}),
    }),
    components: new Models.ComponentRepository(
      [...all].filter(([ref]) => ref !== product.ref).map(([, made]) => made),
    ),
  });
  const serializer = new Serialize.JsonSerializer(
    new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6),
  );
  const text = serializer.serialize(bom, { sortLists: true, space: 1 });
  return Buffer.from(`${text}\n`);
}

function link(all: ReadonlyMap<string, Models.Component>, from: string, to: string): void {
  const [one, other] = [all.get(from), all.get(to)];
  if (!one || !other) throw new Error(`the SBOM has no ${one ? to : from}`);
  one.dependencies.add(other.bomRef);
}

function modelOf(component: SbomComponent, { Enums, Models, SPDX }: Library): Models.Component {
  const { ref, type, name, version, purl, sha256, sha512, license } = component;
  const { optional, urls = [], properties = {} } = component;
  const made = new Models.Component(type as Models.Component['type'], name, { bomRef: ref });
  if (version !== undefined) made.version = version;
  if (purl !== undefined) made.purl = purl;
  if (sha256) made.hashes.set(Enums.HashAlgorithm['SHA-256'], sha256);
  if (sha512) made.hashes.set(Enums.HashAlgorithm['SHA-512'], sha512);
  if (license) {
    made.licenses.add(
      SPDX.isSupportedSpdxId(license)
        ? new Models.SpdxLicense(license)
        : new Models.NamedLicense(license),
    );
  }
  if (optional !== undefined) {
    made.scope = optional ? Enums.ComponentScope.Optional : Enums.ComponentScope.Required;
  }
  for (const url of urls) {
    made.externalReferences.add(
      new Models.ExternalReference(url, Enums.ExternalReferenceType.Distribution),
    );
  }
  if (component.source !== undefined) {
    made.externalReferences.add(
      new Models.ExternalReference(
        component.source,
        Enums.ExternalReferenceType.SourceDistribution,
      ),
    );
  }
  for (const [key, value] of Object.entries(properties)) {
    made.properties.add(new Models.Property(key, value));
  }
  return made;
}
