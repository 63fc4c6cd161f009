import { z } from 'zod';
import { parseJson } from '#contract/text/json.ts';

/** The lines of the journal of usage, and the compacted state. */

const id = z.int().min(0);
/** The largest number that JSON keeps exactly. */
const count = z.int().min(0);
const account = z.string().min(1).max(128);
const hash = z.string().regex(/^[0-9a-f]{16}$/);
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/);

/**
 * What happens to the usage of an account. An account is a relay key, or a person behind a key:
 * `ui/<keyed hash>`. Tokens of `reserve` and `grow` are held until `settle` or `release`. `network`: the
 * account was used from a network, whose keyed hash is stored.
 */
const usageEvent = z.discriminatedUnion('event', [
  z.strictObject({ event: z.literal('reserve'), id, account, day, tokens: count }),
  z.strictObject({ event: z.literal('grow'), id, tokens: count }),
  z.strictObject({ event: z.literal('settle'), id, tokens: count, estimated: z.boolean() }),
  z.strictObject({ event: z.literal('release'), id }),
  z.strictObject({ event: z.literal('refuse'), account, day }),
  z.strictObject({ event: z.literal('network'), account, day, hash }),
]);
export type UsageEvent = z.infer<typeof usageEvent>;

const dayUse = z.strictObject({
  /** Settled tokens, estimated ones included. */
  tokens: count,
  estimated: count,
  requests: count,
  refused: count,
});
export type DayUse = z.infer<typeof dayUse>;

const reservation = z.strictObject({ id, account, day, tokens: count });
export type Reservation = z.infer<typeof reservation>;

export const formatVersion = 1;

const usageState = z.strictObject({
  version: z.literal(formatVersion),
  /** Number of the journal that continues this state. */
  journal: z.int().min(0),
  /** The current day: the latest that the clock has shown, unless the clock was wrong. */
  latest: day,
  accounts: z.record(account, z.record(day, dayUse)),
  open: z.array(reservation),
  /** Keyed hashes of the networks of accounts on the current day. */
  networks: z.strictObject({ day, accounts: z.record(account, z.array(hash)) }).optional(),
});
export type UsageState = z.infer<typeof usageState>;

/** Why stored usage cannot be used. */
export type UsageProblem = 'missing' | 'foreign' | 'future' | 'damaged' | 'unwritable';

/** Reads a compacted state. */
export function readState(text: string): UsageState | UsageProblem {
  const value = parseJson(text);
  const parsed = usageState.safeParse(value);
  if (parsed.success) return parsed.data;
  const { version } = z.object({ version: z.number() }).safeParse(value).data ?? {};
  return version !== undefined && version > formatVersion ? 'future' : 'damaged';
}

/**
 * Reads the lines of a journal. A last line without a line break is ignored: its writer died before the
 * line was synced, so no request was sent for it.
 */
export function readJournal(text: string): UsageEvent[] | 'damaged' {
  const events: UsageEvent[] = [];
  for (const line of text.split('\n').slice(0, -1)) {
    const parsed = usageEvent.safeParse(parseJson(line));
    if (!parsed.success) return 'damaged';
    events.push(parsed.data);
  }
  return events;
}
