import { z } from 'zod';
import { sentNameSchema } from '../model/text.ts';
import { type Fields, isMap } from '../source/fields.ts';
import { because } from '../source/reasons.ts';
import { flagOf } from './link.ts';
import { type Part, sentNameOf, type Written } from './protocol.ts';

/** TLS of proxies, with the settings that mihomo and sing-box both support in the same meaning. */

/** Fingerprints of TLS clients. */
export const fingerprints = [
  ...['chrome', 'firefox', 'safari', 'ios', 'android', 'edge', '360', 'qq'],
  ...['random', 'randomized'],
] as const;

/** A protocol of the TLS extension ALPN. */
const alpnSchema = z.string().regex(/^[a-z0-9./-]{1,32}$/, because('no-alpn'));

/** Keys of a REALITY server. */
const realitySchema = z.strictObject({
  'public-key': z.string().regex(/^[A-Za-z0-9_-]{43}$/, because('no-public-key')),
  'short-id': z
    .string()
    .regex(/^(?:[0-9a-f]{2}){1,8}$/, because('no-short-id'))
    .optional(),
});

/** TLS of a connection over QUIC. */
export const quicTlsSchema = z.strictObject({
  /** Written out always, because programs derive it differently. */
  'server-name': sentNameSchema,
  insecure: z.boolean(),
  alpn: z.array(alpnSchema).min(1).max(8).optional(),
});

/** TLS of a connection over TCP. */
export const tlsSchema = quicTlsSchema
  .extend({
    fingerprint: z.enum(fingerprints).optional(),
    reality: realitySchema.optional(),
  })
  .refine(({ fingerprint, reality }) => !reality || fingerprint, because('no-fingerprint'));

type Tls = z.infer<typeof tlsSchema>;

/** Returns protocols of ALPN. Those with invalid characters are not sent. */
export function alpnOf(
  fields: Fields,
  key: string,
  list: readonly string[] | undefined,
): string[] | undefined {
  const names = (list ?? []).map((name) => name.trim()).filter(Boolean);
  const valid = names.filter((name) => alpnSchema.safeParse(name).success).slice(0, 8);
  if (valid.length < names.length) fields.flaw(key, 'no-alpn');
  return valid.length > 0 ? valid : undefined;
}

/** Reads a fingerprint of uTLS. Clients use none, or their own, instead of one they do not know. */
function fingerprintOf(fields: Fields, key: string): string | undefined {
  const text = fields.text(key)?.trim().toLowerCase();
  if (text === undefined || text === 'none') return undefined;
  const found = fingerprints.find((each) => each === text);
  return found ?? fields.flaw(key, 'unknown-fingerprint', `allowed ${fingerprints.join(', ')}`);
}

/** Reads the keys of a REALITY server. */
function realityOf(fields: Fields, publicKey: string, shortId: string) {
  return {
    'public-key': fields.text(publicKey)?.replace(/=+$/, ''),
    'short-id': fields.text(shortId)?.toLowerCase(),
  };
}

/** Returns the part of a protocol that is always in TLS. */
export function tlsPart(
  readClash: (fields: Fields) => Written,
  readSingBox: (fields: Fields) => Written,
): Part<{ readonly tls: Tls }> {
  return {
    clash: {
      read: (fields) => ({ tls: readClash(fields) }),
      write: ({ tls }) => clashTls.write(tls),
    },
    singBox: {
      read: (fields) => ({ tls: readSingBox(fields) }),
      write: ({ tls }) => ({ tls: singBoxTls.write(tls) }),
    },
  };
}

export const clashTls = {
  /** Reads the fields of TLS in Clash; `sni` or `servername` is the key of the server name. */
  read(fields: Fields, nameKey: string) {
    const tls = {
      'server-name': sentNameOf(fields, nameKey),
      insecure: fields.flag('skip-cert-verify') ?? false,
      alpn: alpnOf(fields, 'alpn', fields.texts('alpn')),
      fingerprint: fingerprintOf(fields, 'client-fingerprint'),
      reality: fields.within('reality-opts', (options) => {
        options.ignore('support-x25519mlkem768');
        // A short ID without a key is reported, so that REALITY is not lost silently.
        return options.has('public-key') ? realityOf(options, 'public-key', 'short-id') : undefined;
      }),
    };
    clashTls.refuseOthers(fields);
    return tls;
  },

  /** Reports options of TLS in Clash that sing-box does not have in the same meaning. */
  refuseOthers(fields: Fields): void {
    // Some programs write the name of a client here. Everything else pins a certificate.
    fields.refuse('fingerprint', fingerprints);
    fields.refuse(['certificate', 'private-key']);
    fields.ignore('ech-opts');
  },

  /** Returns the fields of TLS in mihomo. */
  write(tls: Tls, nameKey = 'sni'): Written {
    return {
      [nameKey]: tls['server-name'],
      'skip-cert-verify': tls.insecure,
      alpn: tls.alpn,
      'client-fingerprint': tls.fingerprint,
      'reality-opts': tls.reality,
    };
  },
};

/** Options that change how the server is verified, or what others see. */
const refusedOptions = [
  ...['disable_sni', 'certificate', 'certificate_path', 'certificate_public_key_sha256'],
  ...['client_certificate', 'client_certificate_path', 'client_key', 'client_key_path'],
];
const ignoredOptions = [
  ...['min_version', 'max_version', 'cipher_suites', 'curve_preferences', 'fragment'],
  ...['record_fragment', 'fragment_fallback_delay', 'kernel_tx', 'kernel_rx'],
];

export const singBoxTls = {
  /** Reads `tls` of sing-box; undefined if it is off. */
  read(fields: Fields) {
    return enabled(fields, 'tls', (tls) => {
      if (tls.flag('enabled')) tls.refuse(refusedOptions);
      tls.ignore(ignoredOptions);
      const ech = tls.raw('ech');
      tls.ignore('ech', isMap(ech) && ech.enabled === true ? [] : [ech]);
      return {
        'server-name': sentNameOf(tls, 'server_name'),
        insecure: tls.flag('insecure') ?? false,
        alpn: alpnOf(tls, 'alpn', tls.texts('alpn')),
        fingerprint: enabled(tls, 'utls', (utls) => fingerprintOf(utls, 'fingerprint') ?? 'chrome'),
        reality: enabled(tls, 'reality', (reality) => realityOf(reality, 'public_key', 'short_id')),
      };
    });
  },

  /** Reads `tls`, or reports that it is off. */
  readRequired(fields: Fields): Written {
    return singBoxTls.read(fields) ?? { tls: fields.problem('tls', 'off') };
  },

  /** Returns `tls` of sing-box. */
  write(tls: Tls): Written {
    const { alpn, fingerprint, reality } = tls;
    const { 'public-key': public_key, 'short-id': short_id } = reality ?? {};
    return {
      enabled: true,
      server_name: tls['server-name'],
      insecure: tls.insecure,
      alpn,
      utls: fingerprint && { enabled: true, fingerprint },
      reality: reality && { enabled: true, public_key, short_id },
    };
  },
};

/** Reads a section of sing-box; undefined if it is off. */
function enabled<Value>(
  fields: Fields,
  key: string,
  read: (section: Fields) => Value,
): Value | undefined {
  return fields.within(key, (section) => {
    const isOn = section.flag('enabled') ?? false;
    const value = read(section);
    return isOn ? value : undefined;
  });
}

/** Values of `tls` in links of protocols that always have it. */
export const linkTlsOn: readonly unknown[] = ['1', 'true', 'tls'];

/** Reads the parameters of TLS and REALITY of a link. */
export function readLinkTls(fields: Fields, isReality: boolean) {
  const insecure = insecureOf(fields);
  const reality = realityOf(fields, 'pbk', 'sid');
  fields.leaveOut(['spx'], 'not-used');
  if (!isReality) fields.leaveOut(['pbk', 'sid'], 'no-effect-without security=reality');
  return {
    'server-name': linkServerName(fields),
    insecure,
    alpn: alpnOf(fields, 'alpn', fields.text('alpn')?.split(',')),
    fingerprint: fingerprintOf(fields, 'fp'),
    reality: isReality ? reality : undefined,
  };
}

/** Reads the server name. `peer` is the older name of the parameter; providers write both. */
export function linkServerName(fields: Fields): string | undefined {
  const [sni, peer] = [sentNameOf(fields, 'sni'), sentNameOf(fields, 'peer')];
  if (sni !== undefined && peer !== undefined && sni !== peer) {
    fields.report.note(fields.position, { at: 'peer', reason: 'sni-differs' });
  }
  return sni ?? peer;
}

const insecureKeys = ['allowInsecure', 'allow_insecure', 'allowinsecure', 'insecure'];

/** Returns whether the check of the certificate is turned off by one of the keys of programs. */
export function insecureOf(fields: Fields): boolean {
  const flags = [...insecureKeys, 'skip-cert-verify'].map((key) => flagOf(fields, key));
  return flags.includes(true);
}
