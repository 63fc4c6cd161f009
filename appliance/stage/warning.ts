import { z } from 'zod';

/** What a warning is about. Programs compare it, never the text. */
export const warningKinds = [
  'certificate',
  'client-proxy',
  'clock',
  'closed-port',
  'console',
  'disk',
  'ignored-fields',
  'kernel',
  'login',
  'model-missing',
  'model-slow',
  'models-hosted-only',
  'name-resolution',
  'provider',
  'release-expired',
  'route',
  'smoke',
  'ssh-key',
  'ssh-unproved',
  'swap',
  'webhook',
  /** Of an older or a newer program, which names no kind or one that is unknown here. */
  'other',
] as const;
type WarningKind = (typeof warningKinds)[number];

/** What a person should know although nothing failed. */
export interface Warning {
  readonly kind: WarningKind;
  /** What it concerns: a model, a host, a file, a user. */
  readonly subject: string;
  /** For people; it may change between releases. */
  readonly text: string;
}

/** Reads a warning from a file. Older programs wrote the text alone. */
export const warningSchema = z.union([
  z.string().transform((text): Warning => ({ kind: 'other', subject: '', text })),
  z.object({ kind: z.enum(warningKinds).catch('other'), subject: z.string(), text: z.string() }),
]);

/** Tells whether two warnings say the same of the same subject. */
export function isSameWarning(one: Warning, other: Warning): boolean {
  return one.kind === other.kind && one.subject === other.subject && one.text === other.text;
}
