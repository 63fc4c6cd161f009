import { z } from 'zod';

/**
 * What a license requires of a public copy. `notice`: its text and the copyright. `unmodified`: also
 * that the copy is unmodified. `source`: also the source code, or an offer of it. `declared`: the
 * author of appliance.yaml declares that copies are allowed.
 */
export type Redistribution = 'notice' | 'unmodified' | 'source' | 'declared';

/** The license of a third-party work. */
export interface License {
  /** Name of the work. */
  readonly product: string;
  /** SPDX expression; `LicenseRef-…` for a license that SPDX does not list. */
  readonly spdx: string;
  readonly copyright?: string;
  /** URL of the source code, without a version. */
  readonly repository: string;
  /** Path of a version below `repository`; `{version}` is replaced. */
  readonly versionPath?: string;
  /** URL of the license. */
  readonly url?: string;
  /** Texts to reproduce: files in `builder/bundle/notice/texts`, without their ending. */
  readonly texts: readonly string[];
  readonly redistribution: Redistribution;
  /** The condition that matters for a bundle, as a sentence. */
  readonly condition: string;
  /** Distributions whose packages an image contains. */
  readonly systems?: readonly System[];
}

/** A Linux distribution, and where its sources are. */
export const systems = {
  Alpine: 'https://gitlab.alpinelinux.org/alpine/aports',
  Debian: 'https://snapshot.debian.org',
  Ubuntu: 'https://launchpad.net/ubuntu/+source',
} as const;

type System = keyof typeof systems;

/** Returns the URL of the source of a version. */
export function sourceOf(license: License, version: string | undefined): string {
  const { repository, versionPath } = license;
  if (versionPath === undefined || version === undefined) return repository;
  return `${repository}/${versionPath.replace('{version}', version)}`;
}

/** A license that the author of an appliance declares for an image or a model. */
export const declaredLicense = z
  .strictObject({
    id: z
      .string()
      .max(128)
      .regex(
        /^[A-Za-z0-9.+() -]+$/,
        'must be an SPDX expression such as Apache-2.0, or LicenseRef-Name',
      )
      .describe('SPDX expression, such as Apache-2.0 or LicenseRef-Name.'),
    source: z
      .string()
      .max(1024)
      .regex(/^https:\/\/[\x21-\x7e]+$/, 'must be an https URL')
      .describe('https URL of the source code.'),
  })
  .describe(
    'License, for `landfall build --public`, which otherwise rejects what Landfall does not know. It declares that copies are allowed.',
  );

export type DeclaredLicense = z.infer<typeof declaredLicense>;
