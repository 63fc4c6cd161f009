import { rowOfCode } from '#contract/error-codes.ts';
import { LandfallError } from '#contract/errors.ts';
import { formatLatency } from '#contract/text/amount.ts';
import { inLanguage } from '#contract/text/language.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { alignRows } from '#contract/text/table.ts';
import { isLoopback, type ProxyServer } from '#http/proxy.ts';
import { type ProxyChoice, proxyChooser } from './choose-proxy.ts';
import type { Attempt } from './exchange/attempt.ts';
import { type ProbeNetwork, type Route, systemNetwork } from './exchange/network.ts';
import { send } from './exchange/send.ts';
import { failed } from './probe-table.ts';
import { webUrlOf } from './target.ts';

const huggingFace = 'https://router.huggingface.co/hf-inference';

/** Options of `landfall probe hub`, on both command lines. */
export interface HubFlags {
  readonly url?: string;
  readonly inputs: string;
  readonly proxy?: string;
  readonly json?: boolean;
}

/** The environment of `landfall probe hub`. */
interface HubInputs extends Omit<ProxyChoice, 'option'> {
  /** Returns the access token; undefined or empty if there is none. */
  readonly token: () => Promise<string | undefined>;
  /** PEM of additional certificate authorities. */
  readonly ca?: string | undefined;
}

/**
 * Sends an inference request to the hub as the options demand.
 * @throws LandfallError USAGE for invalid options or without a valid token
 */
export async function hubFromFlags(
  model: string,
  flags: HubFlags,
  inputs: HubInputs,
): Promise<{ text: string; exitCode: number }> {
  const base = webUrlOf(flags.url ?? huggingFace, 'the URL of a hub', huggingFace);
  hubUrl(base, model);
  const network = systemNetwork(inputs.ca);
  const proxyFor = await proxyChooser({ ...inputs, option: flags.proxy });
  const token = checkToken(await inputs.token());
  const report = await probeHub({ base, model, inputs: flags.inputs, token }, network, proxyFor);
  const isAnswered = bestAttempt(report).outcome === 'answered';
  return {
    text: flags.json ? JSON.stringify(report, null, 2) : hubTable(report),
    exitCode: isAnswered ? 0 : rowOfCode('NETWORK_UNREACHABLE').exit,
  };
}

function checkToken(token = ''): string {
  if (/^[\x21-\x7e]{1,512}$/.test(token)) return token;
  const text =
    token === '' ? 'the access token of the hub is missing' : 'the access token is invalid';
  throw new LandfallError('USAGE', text, {
    hint: {
      en: 'Set HF_TOKEN, or run the command on a terminal to enter the token.',
      zh: '设置 HF_TOKEN，或在终端中运行并输入令牌。',
    },
  });
}

/**
 * How the hub responded, for users. `failed`: no response, or one that is not the hub's. `denied`: the
 * hub or a filter does not serve this address.
 */
const sentences = {
  answered: { en: 'the hub works, and its token is valid', zh: '模型社区可用，令牌有效' },
  'token-rejected': {
    en: 'the hub rejected the token; create a new one with permission for inference',
    zh: '模型社区拒绝了令牌；请新建一个有推理权限的令牌',
  },
  denied: {
    en: 'access denied; use a proxy or a relay, or check the permissions of the token',
    zh: '拒绝访问；请使用代理或中继，或检查令牌的权限',
  },
  'model-unknown': {
    en: 'the hub does not serve this model; use another model',
    zh: '模型社区不提供这个模型；请换一个',
  },
  'request-rejected': {
    en: 'the model rejected the input; use --inputs or another model',
    zh: '模型拒绝了输入；请用 --inputs 或换一个模型',
  },
  loading: {
    en: 'the model is loading; try again in a minute',
    zh: '模型正在加载；请一分钟后再试',
  },
  'rate-limited': {
    en: 'rate-limited by the hub; try again later',
    zh: '模型社区限制了请求频率；请稍后再试',
  },
  failed: {
    en: 'no route to the hub works; use a proxy or a relay',
    zh: '没有线路能访问模型社区；请使用代理或中继',
  },
} as const;
type HubOutcome = keyof typeof sentences;

/** Returns the result of the route that came furthest. */
function bestAttempt({ direct, proxy }: HubReport): HubAttempt {
  return proxy !== undefined && (proxy.outcome !== 'failed' || direct.outcome === 'failed')
    ? proxy
    : direct;
}

const labels = {
  hub: { en: 'hub', zh: '模型社区' },
  direct: { en: 'direct', zh: '直连' },
  proxy: { en: 'proxy', zh: '代理' },
  response: { en: 'response', zh: '响应' },
  verdict: { en: 'verdict', zh: '结论' },
};

/** Formats a report as a table that ends with a one-line verdict. */
export function hubTable(report: HubReport): string {
  const { url, direct, proxy, through } = report;
  const best = bestAttempt(report);
  const { en, zh } = sentences[best.outcome];
  const verdict =
    best === proxy && best.outcome === 'answered'
      ? { en: `${en} through the proxy ${through}`, zh: `${zh}（通过代理 ${through}）` }
      : { en, zh };
  const rows = [
    [inLanguage(labels.hub), url],
    [inLanguage(labels.direct), resultOf(direct)],
    ...(proxy === undefined ? [] : [[inLanguage(labels.proxy), resultOf(proxy)]]),
    ...(best.text === undefined ? [] : [[inLanguage(labels.response), best.text]]),
    [inLanguage(labels.verdict), inLanguage(verdict)],
  ];
  return alignRows(rows).join('\n');
}

function resultOf({ failure, status, steps }: HubAttempt): string {
  const took = formatLatency(steps.reduce((sum, step) => sum + step.took, 0));
  if (failure !== undefined) return failed(failure);
  return inLanguage({ en: `status ${status} after ${took}`, zh: `状态 ${status}，用时 ${took}` });
}

/** An inference request to a model hub (SPEC 4, E4). */
interface HubRequest {
  /** The URL that precedes `/models/<model>`. */
  readonly base: URL;
  /** Such as `org/name`. */
  readonly model: string;
  readonly inputs: string;
  readonly token: string;
}

/** What the probe found about the hub. */
interface HubReport {
  readonly url: string;
  readonly direct: HubAttempt;
  /** Absent without a proxy, and if the direct request was answered. */
  readonly proxy?: HubAttempt;
  /** Host and port of the proxy, without its login. */
  readonly through?: string;
}

/** More than the beginning that is shown. Bytes. */
const max = 4096;

/** Sends the request directly, and through the proxy if that is not answered: answers cost money. */
export async function probeHub(
  request: HubRequest,
  network: ProbeNetwork,
  proxyFor: (url: URL) => ProxyServer | undefined,
): Promise<HubReport> {
  const url = hubUrl(request.base, request.model);
  const ask = (route: Route) => askHub(url, request, route, network);
  const direct = await ask({});
  const proxy = direct.outcome === 'answered' ? undefined : proxyFor(url);
  if (proxy === undefined) return { url: url.href, direct };
  return { url: url.href, direct, proxy: await ask({ proxy }), through: proxy.url.host };
}

/**
 * Returns the URL of a model.
 * @throws LandfallError USAGE for an invalid model, and for a URL that would send the token in plain text
 */
export function hubUrl(base: URL, model: string): URL {
  if (!/^[\w-][\w.-]{0,95}(?:\/[\w-][\w.-]{0,95})?$/.test(model)) {
    throw new LandfallError('USAGE', 'the name of the model is invalid', {
      hint: { en: 'Use a name such as org/model.', zh: '使用类似 org/model 的名称。' },
    });
  }
  if (base.protocol !== 'https:' && !isLoopback(base)) {
    throw new LandfallError('USAGE', 'the URL of the hub does not encrypt the token', {
      hint: { en: 'Use an https URL.', zh: '使用 https 地址。' },
    });
  }
  return new URL(`${base.origin}${base.pathname.replace(/\/+$/, '')}/models/${model}`);
}

async function askHub(
  url: URL,
  { inputs, token }: HubRequest,
  route: Route,
  network: ProbeNetwork,
): Promise<HubAttempt> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ inputs });
  const call = { url, method: 'POST', headers, body, maxBytes: max } as const;
  const { attempt, answer } = await send(call, route, network);
  const text = answer === undefined ? '' : excerptOf(answer.body, token);
  return { ...attempt, outcome: outcomeOf(attempt), ...(text === '' ? {} : { text }) };
}

/** A request to the hub over one route. */
interface HubAttempt extends Attempt {
  readonly outcome: HubOutcome;
  /** The beginning of the response as plain text, without the token. */
  readonly text?: string;
}

const outcomes: Readonly<Record<number, HubOutcome>> = {
  400: 'request-rejected',
  401: 'token-rejected',
  403: 'denied',
  404: 'model-unknown',
  410: 'model-unknown',
  422: 'request-rejected',
  429: 'rate-limited',
  451: 'denied',
  503: 'loading',
};

/** Returns the meaning of a response to an inference request. */
function outcomeOf({ status = 0, failure }: Attempt): HubOutcome {
  if (failure !== undefined) return 'failed';
  return status >= 200 && status < 300 ? 'answered' : (outcomes[status] ?? 'failed');
}

/** Formats the beginning of a response: one line of at most 200 characters, without the token. */
function excerptOf(body: Buffer, token: string): string {
  return plainLine(body.toString('utf8').replaceAll(token, '***'));
}
