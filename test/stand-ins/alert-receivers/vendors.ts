import { createHmac } from 'node:crypto';
import { z } from 'zod';

/*
 * Stand-ins for the receivers of alerts. Each checks a request as its vendor documents it, and
 * responds like the vendor. The paths contain the secrets.
 */

/** A received request. */
export interface Received {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** The response of a vendor. */
export interface VendorReply {
  readonly status: number;
  readonly body?: unknown;
  /** The text of an accepted message. */
  readonly accepted?: string;
}

export type Vendor = (received: Received) => VendorReply;

/** Secrets that only the receivers and the server know. */
export const planted = {
  token: 'planted-path-token-4711',
  sign: 'SECplantedsign0815',
  bot: '123456:planted-bot-token_0042',
  access: 'tk_plantedaccess77',
  password: 'planted-mail-password',
};

const text = z.string().min(1);

/** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
const slack: Vendor = (received) => {
  if (received.url.pathname !== `/services/T0/B0/${planted.token}`) return plain(404, 'no_service');
  const payload = jsonOf(received, z.strictObject({ text }));
  if (payload === undefined) return plain(400, 'invalid_payload');
  if (/&(?!amp;|lt;|gt;)|[<>]/.test(payload.text)) return plain(400, 'invalid_text');
  return { status: 200, body: 'ok', accepted: payload.text.replaceAll('&amp;', '&') };
};

/** https://discord.com/developers/docs/resources/webhook#execute-webhook */
const discord: Vendor = (received) => {
  if (received.url.pathname !== `/api/webhooks/1/${planted.token}`) {
    return json(404, { message: 'Unknown Webhook', code: 10015 });
  }
  const schema = z.strictObject({
    content: text.max(2000),
    allowed_mentions: z.strictObject({ parse: z.tuple([]) }),
  });
  const payload = jsonOf(received, schema);
  if (payload === undefined) return json(400, { message: 'Invalid Form Body', code: 50035 });
  return { status: 204, accepted: payload.content };
};

/** https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot */
const feishu: Vendor = (received) => {
  if (received.url.pathname !== `/open-apis/bot/v2/hook/${planted.token}`) {
    return json(200, { code: 19001, msg: 'param invalid: incoming webhook access token invalid' });
  }
  const schema = z.strictObject({
    timestamp: z.string().regex(/^\d{10}$/),
    sign: text,
    msg_type: z.literal('text'),
    content: z.strictObject({ text }),
  });
  const isTooLarge = Buffer.byteLength(received.body) > 20 * 1024;
  const payload = isTooLarge ? undefined : jsonOf(received, schema);
  if (payload === undefined) return json(200, { code: 9499, msg: 'Bad Request', data: {} });
  const expected = createHmac('sha256', `${payload.timestamp}\n${planted.sign}`)
    .update('')
    .digest('base64');
  const age = Math.abs(Date.now() / 1000 - Number(payload.timestamp));
  if (payload.sign !== expected || age > 3600) {
    return json(200, { code: 19021, msg: 'sign match fail or timestamp is not within one hour' });
  }
  const reply = { StatusCode: 0, StatusMessage: 'success', code: 0, data: {}, msg: 'success' };
  return { status: 200, body: reply, accepted: payload.content.text };
};

/** https://open.dingtalk.com/document/robots/custom-robot-access */
const dingtalk: Vendor = (received) => {
  const { pathname, searchParams } = received.url;
  const names = [...searchParams.keys()].sort().join();
  if (pathname !== '/robot/send' || searchParams.get('access_token') !== planted.token) {
    return json(200, { errcode: 300001, errmsg: 'token is not exist' });
  }
  const timestamp = searchParams.get('timestamp') ?? '';
  const expected = createHmac('sha256', planted.sign)
    .update(`${timestamp}\n${planted.sign}`)
    .digest('base64');
  const isRecent = /^\d{13}$/.test(timestamp) && Math.abs(Date.now() - Number(timestamp)) < 3.6e6;
  const isSigned = searchParams.get('sign') === expected && isRecent;
  if (!isSigned || names !== 'access_token,sign,timestamp') {
    return json(200, { errcode: 310000, errmsg: 'sign not match' });
  }
  const payload = jsonOf(
    received,
    z.strictObject({ msgtype: z.literal('text'), text: z.strictObject({ content: text }) }),
  );
  if (payload === undefined) return json(200, { errcode: 40035, errmsg: 'invalid parameter' });
  if (!payload.text.content.includes('Landfall')) {
    return json(200, { errcode: 310000, errmsg: 'keywords not in content' });
  }
  return { status: 200, body: { errcode: 0, errmsg: 'ok' }, accepted: payload.text.content };
};

/** https://developer.work.weixin.qq.com/document/path/91770 */
const wecom: Vendor = (received) => {
  const { pathname, search } = received.url;
  if (pathname !== '/cgi-bin/webhook/send' || search !== `?key=${planted.token}`) {
    return json(200, { errcode: 93000, errmsg: 'invalid webhook url' });
  }
  const content = text.refine((value) => Buffer.byteLength(value) <= 2048);
  const payload = jsonOf(
    received,
    z.strictObject({ msgtype: z.literal('text'), text: z.strictObject({ content }) }),
  );
  if (payload === undefined) return json(200, { errcode: 40058, errmsg: 'invalid parameter' });
  return { status: 200, body: { errcode: 0, errmsg: 'ok' }, accepted: payload.text.content };
};

/** https://sct.ftqq.com/sendkey: single line breaks are not shown, because the text is Markdown. */
const serverchan: Vendor = (received) => {
  if (received.url.pathname !== `/${planted.token}.send`) {
    return json(400, { code: 40001, message: 'bad pushtoken' });
  }
  const payload = jsonOf(received, z.strictObject({ title: text.max(32), desp: text }));
  if (payload === undefined) return json(400, { code: 40002, message: 'invalid' });
  const paragraphs = payload.desp.replaceAll(/(?<!\n)\n(?!\n)/g, ' ').replaceAll('\n\n', '\n');
  return { status: 200, body: { code: 0, message: '' }, accepted: paragraphs };
};

/** https://bark.day.app/#/tutorial */
const bark: Vendor = (received) => {
  if (received.url.pathname !== `/${planted.token}`) {
    return json(400, { code: 400, message: 'failed to get device token' });
  }
  const payload = jsonOf(received, z.strictObject({ title: text, body: text }));
  if (payload === undefined) return json(400, { code: 400, message: 'request bind failed' });
  return { status: 200, body: { code: 200, message: 'success' }, accepted: payload.body };
};

/** https://www.pushplus.plus/doc/guide/api.html: the status is 200 for errors too. */
const pushplus: Vendor = (received) => {
  if (received.url.pathname !== `/send/${planted.token}`) {
    return json(200, { code: 903, msg: 'invalid token' });
  }
  const schema = z.strictObject({ title: text, content: text, template: z.literal('txt') });
  const payload = jsonOf(received, schema);
  if (payload === undefined) return json(200, { code: 999, msg: 'invalid' });
  return { status: 200, body: { code: 200, data: 'abc' }, accepted: payload.content };
};

/** https://core.telegram.org/bots/api#sendmessage */
const telegram: Vendor = (received) => {
  if (received.url.pathname !== `/bot${planted.bot}/sendMessage`) {
    return json(404, { ok: false, error_code: 404, description: 'Not Found' });
  }
  const schema = z.strictObject({
    chat_id: z.union([z.string().regex(/^-?\d+$/), z.string().startsWith('@')]),
    text: text.max(4096),
    link_preview_options: z.strictObject({ is_disabled: z.boolean() }),
  });
  const payload = jsonOf(received, schema);
  if (payload?.chat_id !== '-1001') {
    return json(400, { ok: false, error_code: 400, description: 'Bad Request: chat not found' });
  }
  const result = { message_id: 1, date: 1, chat: { id: -1001, type: 'group' }, text: payload.text };
  return { status: 200, body: { ok: true, result }, accepted: payload.text };
};

/** https://docs.ntfy.sh/publish/#publish-as-json */
const ntfy: Vendor = (received) => {
  if (received.headers.authorization !== `Bearer ${planted.access}`) {
    return json(403, { code: 40301, http: 403, error: 'forbidden' });
  }
  const schema = z.strictObject({
    topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
    title: text,
    message: text.max(4096),
    priority: z.int().min(1).max(5),
    tags: z.array(text),
  });
  const payload = received.url.pathname === '/' ? jsonOf(received, schema) : undefined;
  if (payload?.topic !== planted.token) {
    return json(400, { code: 40009, http: 400, error: 'invalid request: topic invalid' });
  }
  const body = { id: 'abc', time: 1, event: 'message', ...payload };
  return { status: 200, body, accepted: payload.message };
};

const alert = z.strictObject({
  subject: text,
  state: z.enum(['failed', 'working']),
  since: z.iso.datetime(),
  at: z.iso.datetime(),
  detail: text.optional(),
  command: text,
});

/** The format that docs/alerts.md describes. */
const webhook: Vendor = (received) => {
  if (received.url.pathname !== `/hooks/${planted.token}`) return plain(404, 'not found');
  const schema = z.strictObject({
    product: z.literal('landfall'),
    server: text,
    title: text,
    text,
    alerts: z.array(alert),
  });
  const payload = jsonOf(received, schema);
  if (payload === undefined) return plain(400, 'invalid');
  return { status: 202, body: '', accepted: payload.text };
};

export const vendors = {
  webhook,
  slack,
  discord,
  feishu,
  dingtalk,
  wecom,
  serverchan,
  bark,
  pushplus,
  telegram,
  ntfy,
};

/** The URL of each vendor that the administrator copies, below the origin of a stand-in. */
export const vendorPaths = {
  webhook: `/hooks/${planted.token}`,
  slack: `/services/T0/B0/${planted.token}`,
  discord: `/api/webhooks/1/${planted.token}`,
  feishu: `/open-apis/bot/v2/hook/${planted.token}`,
  dingtalk: `/robot/send?access_token=${planted.token}`,
  wecom: `/cgi-bin/webhook/send?key=${planted.token}`,
  serverchan: `/${planted.token}.send`,
  bark: `/${planted.token}`,
  pushplus: `/send/${planted.token}`,
  ntfy: `/${planted.token}`,
} as const;

function jsonOf<Schema extends z.ZodType>(
  { method, headers, body }: Received,
  schema: Schema,
): z.infer<Schema> | undefined {
  if (method !== 'POST' || !/^application\/json\b/.test(String(headers['content-type']))) {
    return undefined;
  }
  try {
    return schema.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

function json(status: number, body: unknown): VendorReply {
  return { status, body };
}

function plain(status: number, body: string): VendorReply {
  return { status, body };
}
