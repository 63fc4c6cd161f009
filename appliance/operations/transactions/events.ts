import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { updateEventsFile } from '#contract/server-paths.ts';
import { readJson } from '#contract/text/json.ts';
import { writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { transactionStates } from '../../server/records/transaction.ts';

/** What an update does at a moment. */
const eventSchema = z.object({
  at: z.iso.datetime(),
  state: z.enum(transactionStates),
  /** A line of a stage; undefined when the state begins. */
  text: z.string().optional(),
});
type UpdateEvent = z.infer<typeof eventSchema>;

/** Starts an empty list of events. */
export async function beginEvents(host: Host): Promise<void> {
  await writeText(host, updateEventsFile, '');
}

/** Adds an event, for those who follow the update. A failure does not matter to the update. */
export async function addEvent(host: Host, event: Omit<UpdateEvent, 'at'>): Promise<void> {
  const line = `${JSON.stringify({ at: new Date().toISOString(), ...event })}\n`;
  const path = host.path(updateEventsFile);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o755 });
    await appendFile(path, line);
  } catch {
    // The disk of /run is full.
  }
}

/** Returns the events after the first ones. @param known number of events that the caller has */
export async function eventsAfter(host: Host, known: number): Promise<UpdateEvent[]> {
  const text = await readFile(host.path(updateEventsFile), 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(0, -1)
    .slice(known)
    .flatMap((line) => readJson(eventSchema, line) ?? []);
}
