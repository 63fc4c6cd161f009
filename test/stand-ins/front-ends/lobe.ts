import type { Handler } from '../serve.ts';
import { pageOf } from './page.ts';

/**
 * What a stack sees of LobeChat 1.143.3: the page, and `/webapi/chat/<provider>`, which asks the
 * provider's base address with the key that it holds. The access code travels in a header.
 */
export function lobeApp(env: NodeJS.ProcessEnv): Handler {
  const codes = (env.ACCESS_CODE ?? '').split(',').filter(Boolean);
  return async (request) => {
    const { pathname } = new URL(request.url);
    const provider = /^\/webapi\/chat\/([a-z]+)$/.exec(pathname)?.[1];
    if (!provider) return pageOf('LobeChat');
    const code = request.headers.get('x-lobe-chat-auth') ?? '';
    if (codes.length > 0 && !codes.includes(code)) {
      return Response.json({ errorType: 'InvalidAccessCode' }, { status: 401 });
    }
    const name = provider.toUpperCase();
    const base = env[`${name}_PROXY_URL`];
    const key = env[`${name}_API_KEY`];
    if (!base || !key) return Response.json({ errorType: 'NoOpenAIAPIKey' }, { status: 401 });
    const answer = await fetch(`${base}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      body: await request.text(),
    });
    const type = answer.headers.get('content-type') ?? 'application/json';
    return new Response(answer.body, { status: answer.status, headers: { 'content-type': type } });
  };
}
