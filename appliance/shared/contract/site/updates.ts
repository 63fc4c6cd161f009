import { z } from 'zod';
import { bareUrl } from './urls.ts';

/** When updates are installed on a server whose site does not say it. */
const defaultWindow = '03:00-05:00';
/** Minutes. */
const day = 24 * 60;

/** The source and the schedule of updates. */
export const updates = z
  .strictObject({
    channels: z
      .array(bareUrl)
      .max(4)
      .default([])
      .describe(
        'URLs of folders with a release channel. Several are mirrors of one: the newest wins. http is safe, because a release key signs the channel.',
      ),
    mode: z
      .enum(['off', 'notify', 'install'])
      .optional()
      .describe(
        'What the server does with a new release. off: it does not look for one. notify: it announces it. install: it also installs it in the window, and goes back automatically if it does not work. Default: notify with channels, otherwise off.',
      ),
    window: z
      .string()
      .regex(
        /^(?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d$/,
        'must be a period such as 03:00-05:00',
      )
      .optional()
      .describe(
        "When updates.mode install may install updates, in the server's time zone: at least 30 minutes. It may pass midnight. Default: 03:00-05:00.",
      ),
  })
  .default({ channels: [] })
  .describe('The source and the schedule of updates.');

/** Returns what a server does with a new release. */
export function updateMode({
  updates: { mode, channels },
}: {
  readonly updates: z.infer<typeof updates>;
}): 'off' | 'notify' | 'install' {
  return mode ?? (channels.length > 0 ? 'notify' : 'off');
}

/** A period of each day in minutes after midnight. It passes midnight if its end is not after its start. */
interface UpdateWindow {
  readonly start: number;
  readonly end: number;
  readonly length: number;
  /** For people and systemd: `03:00` and `05:00`. */
  readonly texts: readonly [start: string, end: string];
}

/** Returns when updates may be installed. */
export function windowOf({
  updates: { window = defaultWindow },
}: {
  readonly updates: z.infer<typeof updates>;
}): UpdateWindow {
  const [from = '', to = ''] = window.split('-');
  const [start, end] = [minutesOf(from), minutesOf(to)];
  return { start, end, length: (end - start + day) % day || day, texts: [from, to] };
}

/** Returns the minutes after midnight of a time such as `03:30`. */
export function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
