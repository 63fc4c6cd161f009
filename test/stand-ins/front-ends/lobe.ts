import type { Handler } from '../serve.ts';
import { pageOf } from './page.ts';

/** Fields of a page's header that this stand-in uses. */
interface Visitor {
  readonly accessCode?: string;
  readonly apiKey?: string;
  readonly baseURL?: string;
}

/** A constant in LobeChat's source (const/auth.ts). */
const xorKey = Buffer.from('LobeHub · LobeHub');

/**
 * Emulates LobeChat 1.143.3: the page, and `/webapi/chat/<provider>`, which forwards to the
 * provider's base URL with its own key. As in the original, a client with its own key needs no
 * access code and sets the URL.
 */
export function lobeApp(env: NodeJS.ProcessEnv): Handler {
  const codes = (env.ACCESS_CODE ?? '').split(',').filter(Boolean);
  return async (request) => {
    const { pathname } = new URL(request.url);
    // Fetches the URL in the body; the gateway must block that.
    if (/^\/webapi\/(?:proxy|plugin)(?:\/|$)/i.test(pathname)) return Response.json({});
    const provider = /^\/webapi\/chat\/([a-z]+)$/.exec(pathname)?.[1];
    if (!provider) return pageOf('LobeChat');
    const header = request.headers.get('x-lobe-chat-auth');
    if (!header) return failure(401, 401);
    const visitor = visitorOf(header);
    if (!visitor) return failure(500, 500);
    if (!visitor.apiKey && codes.length > 0 && !codes.includes(visitor.accessCode ?? '')) {
      return failure(401, 'InvalidAccessCode');
    }
    const name = provider.toUpperCase();
    const key = visitor.apiKey || env[`${name}_API_KEY`];
    const base = visitor.baseURL || env[`${name}_PROXY_URL`];
    if (!key) return failure(401, 'InvalidProviderAPIKey');
    return await forward(request, base || 'https://api.openai.com/v1', key);
  };
}

async function forward(request: Request, base: string, key: string): Promise<Response> {
  const answer = await fetch(`${base}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: await request.text(),
  });
  if (answer.status === 401) return failure(401, 'InvalidProviderAPIKey');
  if (!answer.ok) return failure(471, 'ProviderBizError');
  const type = answer.headers.get('content-type') ?? 'application/json';
  return new Response(answer.body, { status: answer.status, headers: { 'content-type': type } });
}

/** Returns undefined for an invalid header. */
function visitorOf(header: string): Visitor | undefined {
  const bytes = Buffer.from(header, 'base64');
  const text = Buffer.from(bytes.map((byte, index) => byte ^ (xorKey[index % xorKey.length] ?? 0)));
  try {
    return JSON.parse(text.toString('utf8')) as Visitor;
  } catch {
    return undefined;
  }
}

/** The form of its errors (utils/errorResponse.ts). */
function failure(status: number, errorType: string | number): Response {
  return Response.json({ body: {}, errorType }, { status });
}
