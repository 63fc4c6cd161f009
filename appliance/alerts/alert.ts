import { z } from 'zod';

export const alertSchema = z.strictObject({
  /** What changed its state, such as `images of docker.io`. */
  subject: z.string().max(200),
  state: z.enum(['failed', 'working']),
  /** The first failure. */
  since: z.iso.datetime(),
  /** When the state changed. */
  at: z.iso.datetime(),
  /** The cause of a failure, without secrets. */
  detail: z.string().max(300).optional(),
  /** What the administrator can run. */
  command: z.string().max(200),
});

/** A change of state that the administrator should know about. */
export type Alert = z.infer<typeof alertSchema>;
