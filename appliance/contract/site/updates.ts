import { z } from 'zod';
import { urlOf } from './urls.ts';

/** Where updates come from and when they are installed. */
export const updates = z
  .strictObject({
    channels: z
      .array(urlOf('https', 'https://downloads.example.com/landfall/stable/'))
      .max(4)
      .default([])
      .describe('Folders with a channel of releases, tried in this order.'),
    mode: z
      .enum(['off', 'notify', 'install'])
      .default('off')
      .describe('What the server does about a new release. This version has only off.'),
    window: z
      .string()
      .regex(
        /^(?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d$/,
        'must be a period such as 03:00-05:00',
      )
      .optional()
      .describe("When updates may be installed, by the server's clock."),
  })
  .default({ channels: [], mode: 'off' })
  .describe('Where updates come from.');
