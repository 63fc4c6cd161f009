import { z } from 'zod';
import {
  hostSchema,
  nameSchema,
  plainHost,
  portSchema,
  secretSchema,
  sentNameSchema,
  usableName,
} from '../model/text.ts';
import type { Fields } from '../source/fields.ts';
import { reasonIn } from '../source/reasons.ts';
import type { Link } from './link.ts';

/** Fields of an exported file, or of an entry that is not validated. */
export type Written = Readonly<Record<string, unknown>>;

/** Fields of an entry in one format. A reader reports problems to the fields. */
interface Side<Entry> {
  read(fields: Fields): Written;
  write(entry: Entry): Written;
}

/** Fields of an entry, in entries of `proxies` of Clash and of `outbounds` of sing-box. */
export interface Part<Entry> {
  readonly clash: Side<Entry>;
  readonly singBox: Side<Entry>;
}

/**
 * A protocol of proxies, in one file: the schema of its entries, and how each format has its fields.
 * Each format reads and writes `common` in one place. Names of TLS can be missing: `completed` in
 * `registry.ts` adds those that clients derive.
 */
export interface Protocol<Entry> {
  readonly schema: z.ZodType;
  /** `type` of sing-box. */
  readonly singBoxType: string;
  /** In the order in which they are written. */
  readonly parts: readonly Part<Entry>[];
  /** Report options that the exported files cannot express. */
  readonly others?: {
    clash?(fields: Fields): void;
    singBox?(fields: Fields): void;
  };
  /** Changes what was read in any format, as clients do. */
  adjust?(fields: Fields, entry: Written): Written;
  /** Readers of links by scheme, which also return `common`; undefined after a reported problem. */
  readonly links: Readonly<Record<string, (link: Link) => Written | undefined>>;
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

/** Keys of a field; one if both formats have the same. */
type Keys = string | { readonly clash: string; readonly singBox: string };

/**
 * Returns a field that both formats have with the same values.
 * @param own how Clash reads or writes it in another way
 */
export function field(
  name: string,
  keys: Keys,
  read: (fields: Fields, key: string) => unknown,
  own: Partial<Side<Written>> = {},
): Part<Written> {
  const side = (key: string): Side<Written> => ({
    read: (fields) => ({ [name]: read(fields, key) }),
    write: (entry) => ({ [key]: entry[name] }),
  });
  const { clash, singBox } = typeof keys === 'string' ? { clash: keys, singBox: keys } : keys;
  return { clash: { ...side(clash), ...own }, singBox: side(singBox) };
}

/** Returns a field with a password, a key or a user name. */
export function secretField(
  name: string,
  keys: Keys = name,
  own?: Partial<Side<Written>>,
): Part<Written> {
  return field(name, keys, (fields, key) => fields.valid(key, secretSchema), own);
}

/** Whether UDP is forwarded. sing-box does so unless `network` restricts it, which it writes last. */
export const udpField: Part<{ readonly udp: boolean }> = {
  clash: {
    read: (fields) => ({ udp: fields.flag('udp') ?? false }),
    write: ({ udp }) => ({ udp }),
  },
  singBox: {
    read: (fields) => {
      const networks = fields.texts('network') ?? ['tcp', 'udp'];
      if (networks.includes('tcp') && networks.every((name) => name === 'tcp' || name === 'udp'))
        return { udp: networks.includes('udp') };
      fields.problem('network', 'unknown-value', 'allowed tcp, or tcp and udp');
      return { udp: false };
    },
    write: () => ({}),
  },
};

/** Returns an object without its undefined fields. */
export function compact<Value extends object>(value: Value): Value {
  return Object.fromEntries(
    Object.entries(value).filter(([, inner]) => inner !== undefined),
  ) as Value;
}

/**
 * Validates an entry. Problems are reported at its fields that are present, or at the entry.
 * @param values fields that are undefined count as missing
 */
export function validEntry<Entry>(
  fields: Fields,
  schema: z.ZodType<Entry>,
  values: Written,
): Entry | undefined {
  const present = compact(values);
  const { success, data, error } = schema.safeParse(present, { reportInput: true });
  if (success) return data;
  const issues = error.issues.map((issue) => ({ ...issue, at: issue.path.join('.') }));
  const isServerWrong = issues.some(({ at }) => at === 'server');
  for (const { at, path, input, message } of issues) {
    // The name of the server is the default of this field.
    if (isServerWrong && at === 'tls.server-name') continue;
    const key = String(path[0] ?? '');
    const position = fields.has(key) ? fields.positionOf(key) : fields.position;
    const reason = at !== '' && input === undefined ? 'missing' : reasonIn(message);
    fields.report.problem(position, at === '' ? reason : { at, reason });
  }
  return undefined;
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
