import { z } from 'zod';
import { webUrl } from '#contract/site/urls.ts';
import { nameSchema, portSchema, wholeNumber } from './text.ts';

/** A target of rules besides proxies and groups. */
export const builtInTargets = ['DIRECT', 'REJECT'] as const;

/** Returns whether a name is one of them. */
export function isBuiltIn(name: string): boolean {
  return builtInTargets.some((each) => each === name);
}

const member = z.union([z.enum(builtInTargets), nameSchema]);
const target = member.refine((name) => !name.includes(','), 'must not contain a comma');

const domain = z
  .string()
  .regex(/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/, 'must be a domain')
  .max(253);
const keyword = z
  .string()
  .regex(/^[a-z0-9._-]+$/, 'must be a part of a domain')
  .max(253);
const network = z.union([z.cidrv4(), z.cidrv6()], 'must be a network such as 10.0.0.0/8');
const program = z
  .string()
  .max(512)
  .regex(
    /^[^\p{Cc}\p{Cs},\ufeff\ufffe\uffff\u2028-\u202e\u2066-\u2069]+$/u,
    'must be the name of a program',
  )
  .refine((name) => name === name.trim(), 'must not begin or end with a space');

const bound = { target };
const address = { value: network, target, resolve: z.boolean() };

/**
 * A rule of SPEC 2.1, `rules[]`: connections that match use the target. `resolve` is the opposite of
 * `no-resolve`: whether the name is resolved to compare its address.
 */
export const ruleSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('DOMAIN'), value: domain, ...bound }),
  z.strictObject({ type: z.literal('DOMAIN-SUFFIX'), value: domain, ...bound }),
  z.strictObject({ type: z.literal('DOMAIN-KEYWORD'), value: keyword, ...bound }),
  z.strictObject({ type: z.literal('IP-CIDR'), ...address }),
  z.strictObject({ type: z.literal('SRC-IP-CIDR'), value: network, ...bound }),
  /** Private networks, which need no database. */
  z.strictObject({
    ...{ type: z.literal('GEOIP'), value: z.literal('LAN') },
    target,
    resolve: z.boolean(),
  }),
  z.strictObject({ type: z.literal('DST-PORT'), value: portSchema, ...bound }),
  z.strictObject({ type: z.literal('SRC-PORT'), value: portSchema, ...bound }),
  z.strictObject({ type: z.literal('PROCESS-NAME'), value: program, ...bound }),
  z.strictObject({ type: z.literal('NETWORK'), value: z.enum(['tcp', 'udp']), ...bound }),
  z.strictObject({ type: z.literal('MATCH'), ...bound }),
]);

export type Rule = z.infer<typeof ruleSchema>;

/** A group of proxies. SPEC 2.1, `proxy-groups[]`. */
export const groupSchema = z.discriminatedUnion('type', [
  z.strictObject({
    name: nameSchema,
    type: z.literal('select'),
    proxies: z.array(member).min(1, 'must not be empty').max(5000),
  }),
  z.strictObject({
    name: nameSchema,
    type: z.literal('url-test'),
    proxies: z.array(member).min(1, 'must not be empty').max(5000),
    url: webUrl,
    /** Seconds. */
    interval: wholeNumber(1, 86_400),
    /** Milliseconds. */
    tolerance: wholeNumber(1, 60_000),
  }),
]);

export type Group = z.infer<typeof groupSchema>;
