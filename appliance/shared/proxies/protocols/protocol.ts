import { z } from 'zod';
import {
  hostSchema,
  nameSchema,
  plainHost,
  portSchema,
  sentNameSchema,
  usableName,
} from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import type { Link } from './link.ts';

/** A value before it is validated: fields can be missing, and texts and numbers can be any. */
export type Unchecked<Value> = Value extends string
  ? string
  : Value extends number
    ? number
    : Value extends boolean
      ? boolean
      : Value extends readonly (infer Item)[]
        ? readonly (Unchecked<Item> | undefined)[]
        : { readonly [Key in keyof Value]?: Unchecked<Value[Key]> | undefined };

/** Fields of an exported file. */
export type Written = Readonly<Record<string, unknown>>;

/**
 * A protocol of proxies, in one file: the schema of its entries, and how each format has its fields.
 * Each format reads and writes `common` in one place. Readers report problems to the fields.
 */
export interface Protocol<Entry> {
  readonly schema: z.ZodType<Entry>;
  /** An entry of `proxies` of Clash and mihomo. */
  readonly clash: {
    read(fields: Fields): Unchecked<Entry>;
    write(proxy: Entry): Written;
  };
  /** An entry of `outbounds` of sing-box. */
  readonly singBox: {
    readonly type: string;
    /** @param server the host of the entry */
    read(fields: Fields, server: string | undefined): Unchecked<Entry>;
    write(proxy: Entry): Written;
  };
  /** Readers of links by scheme, which also return `common`; undefined after a reported problem. */
  readonly links: Readonly<Record<string, (link: Link) => Unchecked<Entry> | undefined>>;
}

/** The fields of every proxy. */
export const common = {
  name: nameSchema,
  server: hostSchema,
  port: portSchema,
  /** TCP Fast Open and Multipath TCP. */
  tfo: z.literal(true).optional(),
  mptcp: z.literal(true).optional(),
};

/** Returns an object without its undefined fields. */
export function compact<Draft extends object>(draft: Draft): Draft {
  return Object.fromEntries(
    Object.entries(draft).filter(([, value]) => value !== undefined),
  ) as Draft;
}

/** Reads the name of an entry. @param key `name` of mihomo, `tag` of sing-box */
export function nameOf(fields: Fields, key: string): string | undefined {
  const text = fields.text(key);
  return text === undefined ? undefined : fields.check(key, nameSchema, usableName(text));
}

/** Reads a host name or an IP address. */
export function hostOf(fields: Fields, key: string): string | undefined {
  const text = fields.text(key);
  return text === undefined ? undefined : fields.check(key, hostSchema, plainHost(text));
}

/** Reads a server name of TLS or the host of a header, which need not be a host name. */
export function sentNameOf(fields: Fields, key: string): string | undefined {
  const text = fields.text(key);
  return text === undefined
    ? undefined
    : fields.check(key, sentNameSchema, plainHost(text) || undefined);
}

/** Reads whether UDP is forwarded: sing-box does so unless `network` restricts it. */
export function readSingBoxUdp(fields: Fields): boolean {
  const networks = fields.texts('network') ?? ['tcp', 'udp'];
  if (networks.includes('tcp') && networks.every((name) => name === 'tcp' || name === 'udp')) {
    return networks.includes('udp');
  }
  fields.problem('network', 'unknown value', 'Allowed: tcp, or tcp and udp.');
  return false;
}
