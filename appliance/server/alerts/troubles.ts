import { z } from 'zod';
import { troublesFile } from '#contract/server-paths.ts';
import type { Site } from '#contract/site/site.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { writeText } from '../host/files.ts';
import type { Host } from '../host/host.ts';
import { readJsonFile } from '../host/json-file.ts';
import { waitForRunLock } from '../host/lock/run-lock.ts';
import type { Alert, Readers } from './message.ts';
import { deliverAlerts, queueAlerts } from './queue.ts';

/** A state that the administrator hears about once when it begins, and once when it ends. */
export interface Trouble {
  /** Identifies what it is about: `disk /`. */
  readonly id: string;
  /** A notice is a sentence; other subjects fail and work again. */
  readonly state: 'failed' | 'notice';
  /** In the language of the site. */
  readonly subject: string;
  readonly detail?: string;
  /** The sentence at the end of a notice; without one, its end is silent. */
  readonly over?: string;
  /** What the administrator can run. */
  readonly command: string;
}

const announcedSchema = z.object({
  state: z.enum(['failed', 'notice']),
  subject: z.string(),
  over: z.string().optional(),
  command: z.string(),
  since: z.iso.datetime(),
});
const fileSchema = z.object({
  schema: z.literal(1),
  troubles: z.record(z.string(), announcedSchema),
});

/** Returns the troubles that were announced and have not ended. Does not need root. */
export async function openTroubles(host: Host): Promise<z.infer<typeof announcedSchema>[]> {
  return Object.values((await readJsonFile(host, troublesFile, fileSchema))?.troubles ?? {});
}

/** Another process announces for a moment only. Milliseconds. */
const timeout = 60_000;

/**
 * Sends one alert for each trouble that began or ended since the last call. Alerts are queued before they
 * are recorded: after a power cut in between, the queue replaces the alert.
 * @param find gets the IDs of the troubles that were announced
 */
export async function announceTroubles(
  host: Host,
  site: Pick<Site, 'alerts' | 'route'> & Readers,
  find: (known: ReadonlySet<string>) => Promise<readonly Trouble[]>,
  now = new Date(),
): Promise<void> {
  const lock = await waitForRunLock(host, 'watch', timeout);
  try {
    const before = (await readJsonFile(host, troublesFile, fileSchema))?.troubles ?? {};
    const found = await find(new Set(Object.keys(before)));
    const at = now.toISOString();
    const ended = Object.entries(before).filter(([id]) => !found.some((each) => each.id === id));
    const begun = found.filter(({ id }) => !before[id]);
    if (ended.length + begun.length > 0) {
      await queueAlerts(host, site, [
        ...ended.flatMap(([, each]) => endOf(each, at)),
        ...begun.map((each) => beginOf(each, at)),
      ]);
      const troubles = Object.fromEntries(
        found.map(({ id, state, subject, over, command }) => [
          id,
          before[id] ?? { state, subject, over, command, since: at },
        ]),
      );
      const text = JSON.stringify({ schema: 1, troubles }, null, 2);
      await writeText(host, troublesFile, `${text}\n`);
    }
    await deliverAlerts(host, site, now);
  } finally {
    await lock?.release();
  }
}

function beginOf({ state, subject, detail, command }: Trouble, at: string): Alert {
  const more = detail === undefined ? {} : { detail: plainLine(detail, 200) };
  return { subject: plainLine(subject, 200), state, since: at, at, command, ...more };
}

function endOf(
  { state, subject, over, since, command }: z.infer<typeof announcedSchema>,
  at: string,
): Alert[] {
  if (state === 'notice' && over === undefined) return [];
  const [text, end] =
    state === 'failed' ? [subject, 'working' as const] : [over, 'notice' as const];
  return [{ subject: plainLine(text ?? subject, 200), state: end, since, at, command }];
}
