import { z } from 'zod';
import { languages } from '#contract/text/language.ts';
import { type Warning, warningSchema } from '../../server/stage/reporter.ts';

const text = z.string();

/** A component and the URL under which users and programs reach it. */
const endpoint = z.strictObject({ part: text, url: text });

export const reportSchema = z.strictObject({
  schema: z.literal(1),
  product: text,
  release: text,
  arch: text,
  /** That of the site, in which the text of the report and the login message are. */
  language: z.enum(languages).default('en'),
  /** Time of creation. */
  at: z.iso.datetime(),
  addresses: z.strictObject({
    v4: z.array(text),
    v6: z.array(text),
    /** Public address, if known. */
    public: text.nullable(),
    /** In the tunnel of the site, where alone the chat is reachable. */
    tunnel: text.optional(),
  }),
  /** Public endpoints. */
  urls: z.array(endpoint),
  ssh: z.strictObject({ command: text, fingerprints: z.array(text) }),
  /** Email address with which the administrator signs in to the chat UI. */
  chatSignIn: text.nullable().default(null),
  /**
   * The served certificate. `own`: created by Landfall. `acme`: issued by an ACME authority, which
   * verified the names. `trusted`: browsers trust the issuer and do not warn.
   */
  certificate: z
    .strictObject({
      names: text,
      issuer: text,
      until: text,
      sha256: text,
      own: z.boolean(),
      acme: z.boolean().default(false),
      trusted: z.boolean().default(true),
    })
    .nullable(),
  /** Internal endpoints: the tunnel command, and the URL while the tunnel is open. */
  tunnels: z.array(endpoint.extend({ command: text })),
  /** Required DNS records. */
  records: z.array(z.strictObject({ name: text, type: z.enum(['A', 'AAAA']), value: text })),
  /** The configured models, their sizes in bytes if known, and whether each is present. */
  models: z.array(
    z.strictObject({ name: text, size: z.number().nullable(), present: z.boolean() }),
  ),
  /** Names of the keys of model providers that are not set. */
  missingKeys: z.array(text).default([]),
  /** The servers behind HAProxy when the report was written. */
  engines: z
    .array(
      z.strictObject({
        name: text,
        state: z.enum(['up', 'down', 'draining']),
        reason: text.optional(),
      }),
    )
    .default([]),
  /** On an engine node: the command that adds it, for the first server. */
  addNode: text.nullable().default(null),
  /** Whether no server has a token for the Swarm of this server. */
  needsNode: z.boolean().default(false),
  /** Whether no device has access to the tunnel of this server; undefined without one. */
  needsDevice: z.boolean().optional(),
  /** Whether the site has backups that are not set up. */
  needsBackup: z.boolean().default(false),
  /** Whether the chat has no model at all. */
  lacksModel: z.boolean().default(false),
  /** Why the server has no local chat model; null if it has one. */
  hostedOnly: text.nullable().default(null),
  /** Tokens of a conversation with a local model; null without one. */
  context: z.number().nullable().default(null),
  /** Times in milliseconds: total, and without waiting for programs and the network. */
  stages: z.array(
    z.strictObject({
      name: text,
      title: text,
      outcome: z.enum(['applied', 'kept']),
      took: z.number(),
      own: z.number(),
    }),
  ),
  took: z.number(),
  own: z.number(),
  /** Resources of the run that wrote the report: CPU time in milliseconds, peak memory in bytes. */
  cpu: z.number(),
  peakMemory: z.number(),
  warnings: z.array(warningSchema),
  /** `ufw status verbose`, line by line. */
  firewall: z.array(text),
});

/** The report of a server that is set up. Contains no secrets. */
export type Report = z.infer<typeof reportSchema>;

/** Returns the report without times, measurements and states of other servers, for comparison. */
export function lastingPart(report: Report): Partial<Report> {
  const { at, stages, took, own, cpu, peakMemory, engines, ...lasting } = report;
  // The order of warnings does not matter.
  return { ...lasting, warnings: report.warnings.toSorted(byText) };
}

function byText(one: Warning, other: Warning): number {
  return one.text < other.text ? -1 : 1;
}
