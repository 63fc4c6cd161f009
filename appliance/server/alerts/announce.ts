import { z } from 'zod';
import { troublesFile } from '#contract/server-paths.ts';
import type { Site } from '#contract/site/site.ts';
import { inLanguage, type Language } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { type Condition, idOf, type Known } from '../conditions/condition.ts';
import type { Host } from '../host/host.ts';
import { waitForRunLock } from '../host/lock/run-lock.ts';
import { StateFile } from '../host/state-file.ts';
import type { Alert, Readers } from './message.ts';
import { deliverAlerts, queueAlerts } from './queue.ts';

const announcedSchema = z.object({
  state: z.enum(['failed', 'notice']),
  subject: z.string(),
  over: z.string().optional(),
  command: z.string(),
  since: z.iso.datetime(),
});
type Announced = z.infer<typeof announcedSchema>;
const fileSchema = z.object({
  schema: z.literal(1),
  troubles: z.record(z.string(), announcedSchema),
});
const storedTroubles = new StateFile(troublesFile, fileSchema, {
  initial: { schema: 1, troubles: {} },
});

/** Returns the subjects of the alerts that have not ended. Does not need root. */
export async function openSubjects(host: Host): Promise<string[]> {
  const { troubles } = await storedTroubles.read(host);
  return Object.values(troubles).map(({ subject }) => subject);
}

/** Another process announces for a moment only. Milliseconds. */
const timeout = 60_000;

/**
 * Sends one alert for each condition that began or ended since the last call. Alerts are queued before they
 * are recorded: after a power cut in between, the queue replaces the alert.
 * @param gather gets the IDs of the conditions that were announced
 */
export async function announceConditions(
  host: Host,
  site: Pick<Site, 'alerts' | 'route'> & Readers,
  gather: (known: Known) => Promise<readonly Condition[]>,
  now = new Date(),
): Promise<void> {
  const lock = await waitForRunLock(host, 'watch', timeout);
  try {
    const { troubles: before } = await storedTroubles.read(host);
    const gathered = await gather(new Set(Object.keys(before)));
    const found = gathered.filter(({ severity }) => severity !== 'note');
    const at = now.toISOString();
    const ids = new Set(found.map(idOf));
    const ended = Object.entries(before).filter(([id]) => !ids.has(id));
    const begun = found.filter((each) => !before[idOf(each)]);
    if (ended.length + begun.length > 0) {
      await queueAlerts(host, site, [
        ...ended.flatMap(([, each]) => endOf(each, at)),
        ...begun.map((each) => alertOf(each, site.language, at)),
      ]);
      const troubles = Object.fromEntries(
        found.map((each) => [idOf(each), before[idOf(each)] ?? announced(each, site.language, at)]),
      );
      await storedTroubles.write(host, { schema: 1, troubles });
    }
    await deliverAlerts(host, site, now);
  } finally {
    await lock?.release();
  }
}

/** Returns the alert of a condition that begins, in the language of the site. */
export function alertOf(
  { what, thing, detail, command }: Condition,
  language: Language = 'en',
  at = new Date().toISOString(),
): Alert {
  const why = thing && detail && inLanguage(detail, language);
  return {
    subject: plainLine(inLanguage(thing ?? what, language), 200),
    ...{ state: thing ? 'failed' : 'notice', since: at, at, command },
    ...(why ? { detail: plainLine(why, 300) } : {}),
  };
}

function announced(condition: Condition, language: Language | undefined, at: string) {
  const { subject, command, since } = alertOf(condition, language, at);
  const state: Announced['state'] = condition.thing ? 'failed' : 'notice';
  const over = condition.over && inLanguage(condition.over, language ?? 'en');
  return { state, subject, over, command, since };
}

function endOf({ state, subject, over, since, command }: Announced, at: string): Alert[] {
  if (state === 'failed') return [{ subject, state: 'working', since, at, command }];
  return over === undefined
    ? []
    : [{ subject: plainLine(over, 200), state: 'notice', since, at, command }];
}
