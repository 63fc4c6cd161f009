import { z } from 'zod';
import { bareUrl } from './urls.ts';

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
        'What the server does with a new release. Default: notify with channels, otherwise off. This version does not support install.',
      ),
    window: z
      .string()
      .regex(
        /^(?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d$/,
        'must be a period such as 03:00-05:00',
      )
      .optional()
      .describe("When updates may be installed, in the server's time zone."),
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
