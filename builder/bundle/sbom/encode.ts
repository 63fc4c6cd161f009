import { isSupportedSpdxId } from '@cyclonedx/cyclonedx-library/SPDX';

/** A component of a release. */
export interface SbomComponent {
  /** ID in the document, unique. */
  readonly ref: string;
  readonly type: 'application' | 'container' | 'library' | 'machine-learning-model';
  readonly name: string;
  readonly version?: string | undefined;
  /** Package URL. */
  readonly purl?: string | undefined;
  /** 64 hex digits, with or without `sha256:`. */
  readonly sha256?: string | null | undefined;
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
  /** Values without a CycloneDX field; null if it is not known. */
  readonly properties?: Readonly<Record<string, string | number | null>> | undefined;
  /** `ref` of the components that it contains. */
  readonly dependsOn?: readonly string[] | undefined;
}

interface Document {
  /** The product, which the document describes. */
  readonly product: SbomComponent;
  readonly components: readonly SbomComponent[];
  readonly created: Date;
  /** Landfall's own version. */
  readonly builderVersion: string;
}

/**
 * Encodes components as a CycloneDX 1.6 document in JSON (https://cyclonedx.org/docs/1.6/json/). The
 * output is reproducible: it has no random serial number, and components are sorted.
 */
export function encodeSbom(document: Document): Buffer {
  const { product, created, builderVersion } = document;
  const components = document.components.toSorted((a, b) => (a.ref < b.ref ? -1 : 1));
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 },
    metadata: {
      timestamp: created.toISOString(),
      lifecycles: [{ phase: 'build' }],
      tools: { components: [{ type: 'application', name: 'landfall', version: builderVersion }] },
      component: componentJson(product),
    },
    components: components.map(componentJson),
    dependencies: [product, ...components].map(({ ref, dependsOn = [] }) => ({
      ref,
      dependsOn: unlessEmpty(dependsOn.toSorted()),
    })),
  };
  return Buffer.from(`${JSON.stringify(bom, null, 1)}\n`);
}

/** Returns a component as JSON; undefined fields are left out. */
function componentJson(component: SbomComponent): object {
  const { ref, type, name, version, purl, sha256, sha512, license, source } = component;
  const { optional, urls = [], properties = {} } = component;
  return {
    ...{ type, 'bom-ref': ref, name, version },
    scope: optional === undefined ? undefined : optional ? 'optional' : 'required',
    hashes: unlessEmpty([
      ...(sha256 ? [{ alg: 'SHA-256', content: sha256.replace('sha256:', '') }] : []),
      ...(sha512 ? [{ alg: 'SHA-512', content: sha512 }] : []),
    ]),
    licenses: license && [
      { license: isSupportedSpdxId(license) ? { id: license } : { name: license } },
    ],
    purl,
    externalReferences: unlessEmpty([
      ...urls.map((url) => ({ url, type: 'distribution' })),
      ...(source === undefined ? [] : [{ url: source, type: 'source-distribution' }]),
    ]),
    properties: unlessEmpty(
      Object.entries(properties).flatMap(([key, value]) =>
        value === null ? [] : [{ name: `landfall:${key}`, value: `${value}` }],
      ),
    ),
  };
}

function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}
