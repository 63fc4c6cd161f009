import { z } from 'zod';
import { hostSchema, nameSchema, portSchema } from './text.ts';

/** The fields of every proxy. */
export const common = {
  name: nameSchema,
  server: hostSchema,
  port: portSchema,
  /** TCP Fast Open and Multipath TCP. */
  tfo: z.literal(true).optional(),
  mptcp: z.literal(true).optional(),
};
