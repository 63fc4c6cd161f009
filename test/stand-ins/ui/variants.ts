import { existsSync, readFileSync } from 'node:fs';

/** The revisions of the database, oldest first. A program migrates from older ones, one way. */
export const revisions = ['landfall_0001', 'landfall_0002'] as const;

export type Revision = (typeof revisions)[number];

/** A version of the chat UI. */
export interface Variant {
  readonly version: string;
  /** Revision of the database that it needs. */
  readonly revision: Revision;
  readonly fault?: Fault;
}

/** How a version fails. */
export type Fault =
  /** It exits with 1 before it opens the database. */
  | 'does-not-start'
  /** It migrates the older half of the chats, commits them and exits with 1. */
  | 'fails-half-way'
  /** It migrates, but never listens. */
  | 'hangs'
  /** It is healthy, but its migration deletes the oldest chat. */
  | 'loses-chats'
  /**
   * It is healthy, but responds to every message and every upload with 500. Uploads, because the
   * smoke test sends no messages on a server without models.
   */
  | 'fails-smoke';

/** The program of the normal image, which has no file of a variant. */
export const normalVariant: Variant = { version: '0.12.4', revision: 'landfall_0001' };

const next: Variant = { version: '0.12.5', revision: 'landfall_0002' };

/** The next versions of the program, by the name of their image variant. */
export const variants = {
  next,
  'same-schema': { ...next, revision: 'landfall_0001' },
  'does-not-start': { ...next, fault: 'does-not-start' },
  'fails-half-way': { ...next, fault: 'fails-half-way' },
  hangs: { ...next, fault: 'hangs' },
  'loses-chats': { ...next, fault: 'loses-chats' },
  'fails-smoke': { ...next, fault: 'fails-smoke' },
} as const satisfies Readonly<Record<string, Variant>>;

export type VariantName = keyof typeof variants;

/** The file beside the program that contains its variant. */
export const variantFile = 'variant.json';

/** Reads the variant of an image. */
export function readVariant(path: string): Variant {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : normalVariant;
}
