import { z } from 'zod';
import { areDistinctModels } from '#contract/bundle/model-name.ts';
import { versionPattern } from '#contract/bundle/version.ts';
import { type ProgramComponent, programComponents } from '#contract/component-names.ts';
import { platforms } from '../platform.ts';
import { applianceModel } from './model-schema.ts';

/**
 * appliance.yaml: what is shipped. Generic, built per tag, without a word about who runs it.
 * The schema is its documentation; `appliance.schema.json` is made from it.
 */

const version = z.string().max(64).regex(versionPattern, 'must be a version such as 1.2.0');

const name = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be a short name in lower case, such as engine');

/** One line without spaces; what it names is judged when it is opened. */
const image = z
  .string()
  .min(1)
  .max(512)
  .regex(/^[\x21-\x7e]+$/, 'must be an image name such as nginx:1.30.5-alpine');

/** A program that an image can be assembled with. */
export type Program = ProgramComponent;

const component = z.strictObject({
  image: image.describe(
    'Where the image comes from: a registry, or oci:, oci-archive:, docker-archive:, docker-daemon:.',
  ),
  program: z
    .enum(programComponents)
    .optional()
    .describe("A program of Landfall's own that the builder puts on top of the image."),
  optional: z
    .boolean()
    .default(false)
    .describe('Off on a server until its site turns it on; a build may leave it out.'),
});

const composePlugin = z
  .strictObject({
    version: version.default('2.40.3').describe('Version of the Compose plugin.'),
    urls: z
      .array(
        z
          .string()
          .max(1024)
          .regex(
            /^(?:https:\/\/|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/])[A-Za-z0-9._~:/?#[\]@!&()*+,;=%{}-]+$/,
            'must be an https URL; {version} and {machine} are filled in',
          ),
      )
      .min(1)
      .max(8)
      .default([
        'https://github.com/docker/compose/releases/download/v{version}/docker-compose-linux-{machine}',
      ])
      .describe('Where it is; {version} and {machine} (x86_64, aarch64) are filled in.'),
  })
  .prefault({})
  .describe("Docker's Compose plugin for the server.");

const keyPlace = z.string().min(1).max(512);

export const applianceSchema = z.strictObject({
  name: name.describe('Name of the product; bundles are named after it.'),
  version: version.describe('Version of this release.'),
  platforms: z
    .array(z.enum(platforms))
    .min(1)
    .refine((list) => new Set(list).size === list.length, 'names a platform twice')
    .default([...platforms])
    .describe('Platforms to build for.'),
  components: z
    .record(name, component)
    .refine((all) => Object.keys(all).length > 0, 'must have at least one component')
    .describe('The parts of the stack and the image of each.'),
  models: z
    .array(applianceModel)
    .max(64)
    .refine(
      (list) => areDistinctModels(list.map((each) => each.name)),
      'lists a model twice; capitals and a library/ in front make no other one',
    )
    .default([])
    .describe('Models that the server shall have: by name, or as a GGUF file.'),
  node: z
    .strictObject({ version: version.default('24.21.0').describe('Version of Node.') })
    .prefault({})
    .describe("Node for the server's own program, from npm."),
  compose_plugin: composePlugin,
  compose: z
    .string()
    .max(512)
    .optional()
    .describe('Folder of the compose stack, from this file; left out: the one of Landfall.'),
  validity_days: z
    .int()
    .min(1)
    .max(3650)
    .default(365)
    .describe('Days after which a server no longer takes this release as new.'),
  updates_from: version
    .optional()
    .describe('The oldest installed version that may update straight to this one.'),
  data_epoch: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1)
    .describe('Raise it by one when older releases cannot read the data that this release writes.'),
  trust: z
    .strictObject({
      release: z.array(keyPlace).min(1).max(8).describe('Public keys that may sign releases.'),
      recovery: keyPlace
        .optional()
        .describe('The one public key that may sign a change of keys; kept offline.'),
    })
    .optional()
    .describe(
      'Keys that servers trust from this release on, as files or base64; left out: the signing key.',
    ),
});
