import { z } from 'zod';
import { type Warning, warningSchema } from '../stage/warning.ts';

const text = z.string();

/** A part of the stack that people open in a browser or point a program at. */
const place = z.strictObject({ part: text, url: text });

export const reportSchema = z.strictObject({
  schema: z.literal(1),
  product: text,
  release: text,
  arch: text,
  /** When it was made. */
  at: z.iso.datetime(),
  addresses: z.strictObject({
    v4: z.array(text),
    v6: z.array(text),
    /** The address that the world sees, where the server can know it. */
    public: text.nullable(),
  }),
  /** What answers from outside. */
  urls: z.array(place),
  ssh: z.strictObject({ command: text, fingerprints: z.array(text) }),
  /**
   * What browsers are shown. `own`: made here. `acme`: an authority has seen that the names lead here
   * before it gave it. `trusted`: browsers know who issued it, and so do not warn.
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
  /** What has no name of its own: a command that leads there, and where it is then. */
  tunnels: z.array(place.extend({ command: text })),
  /** Entries that the domain's DNS needs. */
  records: z.array(z.strictObject({ name: text, type: z.enum(['A', 'AAAA']), value: text })),
  /** The models that the server is to have, whether each is here yet, and its bytes where they are known. */
  models: z.array(
    z.strictObject({ name: text, size: z.number().nullable(), present: z.boolean() }),
  ),
  /** Why the server has no local model to chat with; null where it has one. */
  hostedOnly: text.nullable().default(null),
  /** Times in milliseconds: in all, and in our own code. */
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
  /** Of the run that wrote this: processor time in milliseconds, and most memory in bytes. */
  cpu: z.number(),
  peakMemory: z.number(),
  warnings: z.array(warningSchema),
  /** `ufw status verbose`, line by line. */
  firewall: z.array(text),
});

/** What a server says about itself when it is up. It holds no secret. */
export type Report = z.infer<typeof reportSchema>;

/** What stays the same while nothing changes on the server: no times, no measurements. */
export function lastingPart(report: Report): Partial<Report> {
  const { at, stages, took, own, cpu, peakMemory, ...lasting } = report;
  // In whichever order they came.
  return { ...lasting, warnings: report.warnings.toSorted(byText) };
}

function byText(one: Warning, other: Warning): number {
  return one.text < other.text ? -1 : 1;
}
