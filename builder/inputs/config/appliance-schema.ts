import { z } from 'zod';
import { areDistinctModels, modelNameSchema } from '#contract/bundle/model-name.ts';
import { modelRoles } from '#contract/bundle/release.ts';
import { versionSchema } from '#contract/bundle/version.ts';
import { type ProgramComponent, programComponents } from '#contract/component-names.ts';
import { secretLooks } from '#explain/secret-signs.ts';
import { platforms } from '../../base/platform.ts';
import { declaredLicense } from '../licenses/license.ts';
import { flawOfGgufSource } from '../models/gguf-source.ts';
import { clients, composePlugin } from './programs/outside-program-schema.ts';

/** A path or a URL on one line. The file itself is checked when it is opened. */
const ggufSource = z
  .string()
  .min(1)
  .max(1024)
  .regex(/^[^\p{Cc}]+$/u, 'must be a path or a URL on one line')
  .superRefine((text, context) => {
    // Every bundle contains this URL, so it must not contain a secret.
    const secret = secretLooks(text);
    const flaw =
      flawOfGgufSource(text) ?? (secret && `${secret.en}; use a URL without credentials`);
    if (flaw) context.addIssue({ code: 'custom', message: flaw });
  });

const role = z
  .enum(modelRoles)
  .optional()
  .describe('Purpose: chat (default), or embedding for document search.');

const describedModel = z
  .strictObject({
    name: modelNameSchema.describe(
      'Name in a registry. For a GGUF file: name of the model on the server, such as mine:1b.',
    ),
    role,
    gguf: ggufSource
      .optional()
      .describe(
        'GGUF file: an https URL, or a path relative to this file. Default: pull from a registry.',
      ),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits')
      .optional()
      .describe('SHA-256 of the GGUF file. It allows even the first download to be resumed.'),
    template: z
      .string()
      .min(1)
      .max(65_536)
      .optional()
      .describe(
        "Prompt template in Ollama's template language. Default: the model completes plain text.",
      ),
    license: declaredLicense.optional(),
  })
  .superRefine(({ gguf, sha256, template }, context) => {
    if (gguf !== undefined) return;
    for (const [field, value] of Object.entries({ sha256, template })) {
      if (value === undefined) continue;
      context.addIssue({ code: 'custom', path: [field], message: 'requires gguf' });
    }
  });

/** A model of an appliance: only a name, or a name with a purpose and a source. */
const applianceModel = z
  .union([
    modelNameSchema.describe(
      "Chat model in Ollama's registry, or in the registry that the name starts with.",
    ),
    describedModel,
  ])
  .transform(
    (model): z.infer<typeof describedModel> =>
      typeof model === 'string' ? { name: model } : model,
  );

/**
 * The schema of appliance.yaml, which describes what a release contains, independent of any server.
 * The descriptions are its documentation; `appliance.schema.json` is generated from it.
 */

const name = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be a short name in lower case, such as engine or ui');

/** One line without spaces; `checkAppliance` checks the syntax. */
const image = z
  .string()
  .min(1)
  .max(512)
  .regex(/^[\x21-\x7e]+$/, 'must be an image name such as nginx:1.30.7-alpine');

/** A program that can be added to an image. */
export type Program = ProgramComponent;

const component = z.strictObject({
  image: image.describe(
    'Image name in a registry, or a source with the prefix oci:, oci-archive:, docker-archive: or docker-daemon:.',
  ),
  program: z
    .enum(programComponents)
    .optional()
    .describe('Program of Landfall that the builder adds to the image.'),
  optional: z
    .boolean()
    .default(false)
    .describe('Whether the component is off until the site turns it on. A build may leave it out.'),
  license: declaredLicense.optional(),
});

const keySource = z.string().min(1).max(512);

export const applianceSchema = z.strictObject({
  name: name.describe('Name of the product; it is part of the bundle names.'),
  version: versionSchema.describe('Version of this release.'),
  platforms: z
    .array(z.enum(platforms))
    .min(1)
    .refine((list) => new Set(list).size === list.length, 'lists a platform twice')
    .default([...platforms])
    .describe('Platforms of the bundles.'),
  components: z
    .record(name, component)
    .refine((all) => Object.keys(all).length > 0, 'must have at least one component')
    .describe('Components of the stack, with the image of each.'),
  models: z
    .array(applianceModel)
    .max(64)
    .refine(
      (list) => areDistinctModels(list.map((each) => each.name)),
      'lists a model twice; upper case and a library/ prefix do not make a different model',
    )
    .default([])
    .describe('Models of the release: by name, or as a GGUF file.'),
  node: z
    .strictObject({ version: versionSchema.default('24.22.3').describe('Version of Node.') })
    .prefault({})
    .describe('Node for the program on the server, from npm.'),
  compose_plugin: composePlugin,
  clients,
  compose: z
    .string()
    .max(512)
    .optional()
    .describe("Folder of the Compose stack, relative to this file. Default: Landfall's stack."),
  validity_days: z
    .int()
    .min(1)
    .max(3650)
    .default(365)
    .describe('Days after which the release expires; servers then reject it as an update.'),
  updates_from: versionSchema
    .optional()
    .describe('Oldest installed version that may update directly to this one.'),
  data_epoch: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1)
    .describe('Increase it by one when older releases cannot read the data of this release.'),
  trust: z
    .strictObject({
      release: z
        .array(keySource)
        .min(1)
        .max(8)
        .describe('Public keys that may sign releases, as files or base64.'),
      recovery: keySource
        .optional()
        .describe('Public key that may sign a change of keys. Keep its private key offline.'),
    })
    .optional()
    .describe('Keys that servers trust from this release on. Default: the signing key.'),
});
