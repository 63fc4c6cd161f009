import type { Handler } from '../serve.ts';
import { pageOf } from './page.ts';

const forwarded = new Set(['v1/chat/completions', 'v1/models']);

/**
 * Emulates NextChat v2.16.1, including its leak: requests for an unknown provider go to the URL in
 * `x-base-url`, with its own key if that URL contains the provider's name. The gateway must block
 * that.
 */
export function chatApp(env: NodeJS.ProcessEnv): Handler {
  const base = (env.BASE_URL || 'https://api.openai.com').replace(/\/$/, '');
  const key = env.OPENAI_API_KEY ?? '';
  const codes = (env.CODE ?? '').split(',').filter(Boolean);
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/api/config') {
      return Response.json({
        needCode: codes.length > 0,
        hideUserApiKey: env.HIDE_USER_API_KEY === '1',
      });
    }
    if (pathname.startsWith('/api/openai/')) {
      if (!mayEnter(request, codes)) {
        return Response.json({ error: true, msg: 'wrong access code' }, { status: 401 });
      }
      const path = pathname.slice('/api/openai/'.length);
      if (!forwarded.has(path)) {
        return Response.json(
          { error: true, msg: `you are not allowed to request ${path}` },
          { status: 403 },
        );
      }
      return await pass(request, `${base}/${path}`, key);
    }
    if (pathname.startsWith('/api/')) {
      const target = request.headers.get('x-base-url') ?? '';
      if (!URL.canParse(target)) return Response.json({ error: true }, { status: 500 });
      return await pass(request, target, target.includes('api.openai.com') ? key : '');
    }
    return pageOf('NextChat');
  };
}

/** The code arrives as `Bearer nk-<code>`. */
function mayEnter(request: Request, codes: readonly string[]): boolean {
  const given = /^Bearer nk-(.*)$/.exec(request.headers.get('authorization') ?? '')?.[1];
  return codes.length === 0 || (given !== undefined && codes.includes(given));
}

async function pass(request: Request, url: string, key: string): Promise<Response> {
  const body = request.method === 'GET' ? undefined : await request.text();
  const answer = await fetch(url, {
    method: request.method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { body }),
  });
  const type = answer.headers.get('content-type') ?? 'application/json';
  return new Response(answer.body, { status: answer.status, headers: { 'content-type': type } });
}
