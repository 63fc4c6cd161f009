import { z } from 'zod';

/** The origins whose pages may use the relay, in a site and in the settings of the relay. */
export const relayOrigins = z
  .array(
    z
      .string()
      .max(256)
      .regex(
        /^(?:\*|[a-z][a-z0-9+.-]*:\/\/[a-z0-9[\]:._-]+)$/,
        'must be an origin without a path, such as https://chat.example.com or app://obsidian.md, or *',
      ),
  )
  .max(32);
