import { z } from 'zod';
import { allErrorCodes, type ErrorCode } from '#contract/error-codes.ts';
import { updateStateFile } from '#contract/server-paths.ts';
import type { Host } from '../../server/host/host.ts';
import { StateFile } from '../../server/host/state-file.ts';

const errorCode = z.custom<ErrorCode>((code) => allErrorCodes().some((row) => row.code === code));

const offerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('up-to-date') }),
  z.strictObject({
    kind: z.literal('update'),
    version: z.string(),
    created: z.iso.datetime(),
    notes: z.string(),
    security: z.enum(['none', 'moderate', 'critical']),
    /** The newest version; another one if this one must be installed first. */
    newest: z.string(),
    /** URL and SHA-256 of the bundle's manifest. */
    manifest: z.string(),
    /** Size of the whole bundle and of its parts in bytes; null: one file. */
    size: z.int(),
    part: z.int().nullable(),
    /** The bundle, relative to the folder above a channel. */
    urls: z.array(z.string()),
    /** What an update transfers and restarts; null if release.json could not be read. */
    changes: z
      .strictObject({
        bytes: z.int(),
        unsized: z.int(),
        /** Bytes that the release takes on the disk at most. */
        disk: z.int().default(0),
        components: z.array(z.string()),
      })
      .nullable(),
    /** How long the containers took to start at their last change, in milliseconds; null if unknown. */
    pause: z.int().nullable(),
  }),
  z.strictObject({ kind: z.literal('unreachable'), newest: z.string(), updatesFrom: z.string() }),
]);

const stateSchema = z.strictObject({
  schema: z.literal(1),
  /** The last check. */
  at: z.iso.datetime(),
  /** The release that ran then. */
  installed: z.string(),
  /** The newest channel that a mirror had; null if none could be read. */
  channel: z
    .strictObject({
      name: z.string(),
      serial: z.int(),
      created: z.iso.datetime(),
      expires: z.iso.datetime(),
      /** ID of the key that signed it. */
      key: z.string(),
      /** Number of the last rotation of the keys. */
      trust: z.int(),
      /** The folder from which it was read. */
      mirror: z.string(),
    })
    .nullable(),
  offer: offerSchema.nullable(),
  /** Why the installed release was withdrawn; null if it was not. */
  withdrawn: z.string().nullable(),
  /** What is wrong with mirrors that could not be used. */
  failures: z.array(z.strictObject({ mirror: z.string(), code: errorCode, message: z.string() })),
  /** What alerts were sent about, so that each is sent once. */
  announced: z.array(z.string()).max(100),
});

/** The state after a check for updates. */
export type UpdateState = z.infer<typeof stateSchema>;

export const storedUpdates = new StateFile(updateStateFile, stateSchema);

/** Records that a release is installed, until the next check looks for a newer one. */
export async function forgetOffer(host: Host, installed: string): Promise<void> {
  const state = await storedUpdates.read(host);
  if (!state || state.installed === installed) return;
  const offer = { kind: 'up-to-date' } as const;
  await storedUpdates.write(host, { ...state, installed, offer, withdrawn: null });
}
