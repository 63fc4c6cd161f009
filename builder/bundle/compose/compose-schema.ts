import { z } from 'zod';

/**
 * The subset of the Compose specification that Landfall checks (SPEC 2.4). Other keys are allowed:
 * Compose validates them on the server. These keys are typed strictly, because the guard uses them.
 */

const texts = z.array(z.union([z.string(), z.number()]).transform(String));
const list = z.union([texts, z.string().transform((text) => [text])]);

const device = z.looseObject({
  driver: z.string().optional(),
  count: z.union([z.int(), z.literal('all')]).optional(),
  capabilities: z.array(z.string()),
});

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
  container_name: z.string().optional(),
  restart: z.string().optional(),
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
  env_file: z.unknown().optional(),
  depends_on: z.union([list, z.record(z.string(), z.unknown())]).optional(),
  networks: z.union([list, z.record(z.string(), z.unknown())]).optional(),
  deploy: z
    .looseObject({
      resources: z
        .looseObject({
          reservations: z.looseObject({ devices: z.array(device).optional() }).optional(),
        })
        .optional(),
    })
    .optional(),
});

const mountedFiles = z
  .record(z.string(), z.looseObject({ file: z.string().optional() }))
  .optional();

export const composeSchema = z.looseObject({
  version: z.string().optional(),
  services: z.record(z.string(), service),
  secrets: mountedFiles,
  configs: mountedFiles,
  networks: z.record(z.string(), z.unknown()).optional(),
  volumes: z.record(z.string(), z.unknown()).optional(),
});

/** An override file: its services may be partial or missing. */
export const overrideSchema = composeSchema.extend({
  services: z.record(z.string(), service.partial({ image: true })).default({}),
});

export type ComposeOverride = z.infer<typeof overrideSchema>;
export type OverrideService = ComposeOverride['services'][string];
export type ComposeFile = z.infer<typeof composeSchema>;
