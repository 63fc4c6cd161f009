import { z } from 'zod';
import { emailAddress } from '../email.ts';
import { isHostAndPort } from '../network/plain-host.ts';
import { urlOf } from '../urls.ts';

const kindMeaning = 'The format of the message.';

const name = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be a short name in lower case')
  .optional()
  .describe('Part of the names of its secrets. Default: its kind.');

const direct = z
  .boolean()
  .default(false)
  .describe('Whether the message may bypass the proxy of the site if the proxy fails.');

const common = { name, direct };

const chat = z
  .string()
  .max(64)
  .regex(/^(?:-?[1-9][0-9]{0,19}|@[A-Za-z][A-Za-z0-9_]{3,62})$/, 'must be a number or @name')
  .describe('The chat of a Telegram bot: a number, or @name of a channel.');

const telegram = 'https://api.telegram.org';

const mailHost = z
  .string()
  .max(253)
  .regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/, 'must be a host name such as smtp.example.com')
  .refine(isHostAndPort, 'must be a host name such as smtp.example.com')
  .describe('The mail server.');

const smtp = z.strictObject({
  kind: z.literal('smtp').describe(kindMeaning),
  ...common,
  host: mailHost,
  port: z
    .int()
    .min(1)
    .max(65535)
    .optional()
    .describe('The port of the mail server. Default: 465 with tls, 587 with starttls.'),
  security: z
    .enum(['tls', 'starttls'])
    .default('tls')
    .describe('TLS from the first byte, or STARTTLS. Mail is never sent without TLS.'),
  user: z
    .string()
    .max(254)
    .regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces')
    .optional()
    .describe('The user name at the mail server. Its password is set on the server.'),
  from: emailAddress.describe('The sender.'),
  to: z.array(emailAddress).min(1).max(8).describe('The recipients.'),
});

/** Kinds whose targets are a URL. */
const urlKinds = [
  'webhook',
  'slack',
  'discord',
  'feishu',
  'dingtalk',
  'wecom',
  'serverchan',
  'bark',
  'pushplus',
  'ntfy',
] as const;

const target = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.enum(urlKinds).describe(kindMeaning),
    ...common,
  }),
  z.strictObject({
    kind: z.literal('telegram').describe(kindMeaning),
    ...common,
    chat,
    api: urlOf('https?', telegram)
      .refine((text) => !/[?#@]/.test(text), 'must have no user, no query and no fragment')
      .default(telegram)
      .describe('The Bot API server, for a network that blocks the one of Telegram.'),
  }),
  smtp,
]);

/** Where the server sends alerts. URLs, tokens and passwords are set on the server. */
export const alerts = z
  .array(target)
  .max(8)
  .refine(
    (targets) => new Set(targets.map(alertName)).size === targets.length,
    'has two targets with the same name; set name',
  )
  .default([])
  .describe('Where the server sends alerts. Their URLs and passwords are set on the server.');

export type AlertTarget = z.infer<typeof target>;
export type AlertKind = AlertTarget['kind'];

/** Returns the name of a target. */
export function alertName({ name: given, kind }: Pick<AlertTarget, 'name' | 'kind'>): string {
  return given ?? kind;
}
