import { z } from 'zod';
import { findFaults } from './faults.ts';
import { isDirectNameserver, nameserverSchema, publicNameservers } from './nameserver.ts';
import { proxySchema } from './proxy.ts';
import { groupSchema, ruleSchema } from './rule.ts';
import { portSchema } from './text.ts';

/** Limits of one import. */
export const most = { proxies: 5000, groups: 500, rules: 20_000, bytes: 4 << 20 } as const;

export const modes = ['rule', 'global', 'direct'] as const;
export const logLevels = ['silent', 'error', 'warning', 'info', 'debug'] as const;

const dns = z
  .strictObject({
    enable: z.boolean(),
    nameserver: z.array(nameserverSchema).max(32),
    /** Resolves the names of the other DNS servers; an IP address. */
    'default-nameserver': nameserverSchema.refine(isDirectNameserver).optional(),
  })
  .refine(({ enable, nameserver }) => !enable || nameserver.length > 0, 'needs a nameserver')
  .refine(
    (given) =>
      given['default-nameserver'] ||
      !given.nameserver[0] ||
      given.nameserver.some(isDirectNameserver),
    'needs a nameserver with an IP address',
  );

/**
 * The settings of a proxy client: SPEC 2.1 with its field names. They are what mihomo and sing-box
 * both support, so that each value can be exported to both. Names are unique, and every group and
 * rule refers to an existing one.
 */
export const settingsSchema = z
  .strictObject({
    port: portSchema,
    'socks-port': portSchema,
    'allow-lan': z.boolean(),
    mode: z.enum(modes),
    'log-level': z.enum(logLevels),
    proxies: z.array(proxySchema).min(1).max(most.proxies),
    'proxy-groups': z.array(groupSchema).min(1).max(most.groups),
    rules: z.array(ruleSchema).min(1).max(most.rules),
    dns,
  })
  .check((context) => {
    for (const { path, message } of findFaults(context.value)) {
      context.issues.push({ code: 'custom', input: undefined, path: [...path], message });
    }
  });

export type Settings = z.infer<typeof settingsSchema>;

/** Values of SPEC 2.1 for sources that do not set them. */
export const defaults = {
  port: 7890,
  'socks-port': 7891,
  'allow-lan': false,
  mode: 'rule',
  'log-level': 'info',
  dns: { enable: true, nameserver: [...publicNameservers] },
} as const satisfies Partial<Settings>;
