import { z } from 'zod';

/** Versions of the software in a release, as its SBOM lists them. */
export interface SbomVersions {
  /** Versions by name of an npm package, sorted. */
  readonly packages: ReadonlyMap<string, readonly string[]>;
  /** Version by name of a program: `node`, `docker-compose`, `landfall`. */
  readonly programs: ReadonlyMap<string, string>;
}

/** Only the fields that are compared. Limits, because an SBOM can come from an untrusted bundle. */
const sbomSchema = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z
    .array(
      z.object({
        type: z.string(),
        name: z.string().max(512),
        version: z.string().max(512).default(''),
        purl: z.string().optional(),
      }),
    )
    .max(20_000),
});

/** Returns the versions in an SBOM; undefined if it is not CycloneDX in JSON. */
export function versionsInSbom(bytes: Uint8Array): SbomVersions | undefined {
  const parsed = sbomSchema.safeParse(parseJson(bytes));
  if (!parsed.success) return undefined;
  const packages = new Map<string, string[]>();
  const programs = new Map<string, string>();
  for (const { type, name, version, purl = '' } of parsed.data.components) {
    if (type === 'application') programs.set(name, version);
    if (type !== 'library' || !purl.startsWith('pkg:npm/')) continue;
    packages.set(name, [...(packages.get(name) ?? []), version].sort());
  }
  return { packages, programs };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}
