import { z } from 'zod';

/**
 * The subset of the Compose specification that Landfall checks (SPEC 2.4). Other keys are allowed:
 * Compose validates them on the server. These keys are typed strictly, because the guard uses them.
 */

const texts = z.array(z.union([z.string(), z.number()]).transform(String));

const mount = z.union([
  z.string(),
  z.looseObject({ type: z.string(), source: z.string().optional(), target: z.string() }),
]);

const port = z.union([
  z.string(),
  z.number().transform(String),
  z.looseObject({
    target: z.union([z.string(), z.number()]),
    published: z.union([z.string(), z.number()]).optional(),
    host_ip: z.string().optional(),
  }),
]);

const service = z.looseObject({
  image: z.string(),
  pull_policy: z.string().optional(),
  privileged: z.boolean().optional(),
  network_mode: z.string().optional(),
  pid: z.string().optional(),
  ipc: z.string().optional(),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  devices: z.array(z.union([z.string(), z.looseObject({})])).default([]),
  ports: z.array(port).default([]),
  volumes: z.array(mount).default([]),
  environment: z
    .union([texts, z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))])
    .default([]),
});

const mountedFiles = z
  .record(z.string(), z.looseObject({ file: z.string().optional() }))
  .optional();

export const composeSchema = z.looseObject({
  services: z.record(z.string(), service),
  secrets: mountedFiles,
  configs: mountedFiles,
});

/** An override file: its services may be partial or missing. */
export const overrideSchema = composeSchema.extend({
  services: z.record(z.string(), service.partial({ image: true })).default({}),
});

export type ComposeOverride = z.infer<typeof overrideSchema>;
export type OverrideService = ComposeOverride['services'][string];
export type ComposeFile = z.infer<typeof composeSchema>;
