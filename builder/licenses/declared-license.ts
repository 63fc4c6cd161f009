import { z } from 'zod';

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
