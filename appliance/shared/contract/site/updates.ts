import { z } from 'zod';
import { urlOf } from './urls.ts';

/** The source and the schedule of updates. */
export const updates = z
  .strictObject({
    channels: z
      .array(urlOf('https', 'https://downloads.example.com/landfall/stable/'))
      .max(4)
      .default([])
      .describe('URLs of folders with a release channel, tried in this order.'),
    mode: z
      .enum(['off', 'notify', 'install'])
      .default('off')
      .describe('What the server does with a new release. This version supports only off.'),
    window: z
      .string()
      .regex(
        /^(?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d$/,
        'must be a period such as 03:00-05:00',
      )
      .optional()
      .describe("When updates may be installed, in the server's time zone."),
  })
  .default({ channels: [], mode: 'off' })
  .describe('The source and the schedule of updates.');
