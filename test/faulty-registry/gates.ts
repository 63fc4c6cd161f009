import type { Gate } from './faulty-registry.ts';

/* How a FaultyRegistry checks who is asking. */

export interface Login {
  readonly username: string;
  readonly password: string;
}

/** The value of Authorization for a login. */
export function basicValue({ username, password }: Login): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** User and password with every request. */
export function basicGate(login: Login): Gate {
  return ({ request, response }) => {
    if (request.headers.authorization === basicValue(login)) return true;
    response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end();
    return false;
  };
}

export interface TokenGateOptions {
  /** Where tokens are to be had; default `/token` of the registry itself. */
  readonly realm?: string | undefined;
  /** Whose login a token takes; absent: anybody gets one. */
  readonly login?: Login | undefined;
  /** The identity token that a posted form has to carry. */
  readonly identity?: string | undefined;
  /** Seconds that tokens are said to live. */
  readonly lifetime?: number | undefined;
  /** Whether tokens are worth anything; default true. */
  readonly honoured?: () => boolean;
  /** Added to the challenge when a token is not honoured, such as `error="insufficient_scope"`. */
  readonly complaint?: string | undefined;
}

/** What was asked of a realm. */
export interface TokenAsked {
  readonly method: string;
  readonly query: Record<string, string>;
  readonly form: Record<string, string>;
  readonly authorization: string | undefined;
}

/** Bearer tokens, numbered, for one scope each, from a realm at `/token`. */
export function tokenGate(options: TokenGateOptions = {}): { gate: Gate; asked: TokenAsked[] } {
  const asked: TokenAsked[] = [];
  const { login, identity, lifetime, honoured = () => true, complaint } = options;
  const gate: Gate = ({ request, response, url }, registry) => {
    if (url.pathname === '/token') {
      void readBody(request).then((body) => {
        const form = Object.fromEntries(new URLSearchParams(body));
        const { authorization } = request.headers;
        asked.push({
          method: request.method ?? '',
          query: Object.fromEntries(url.searchParams),
          form,
          authorization,
        });
        const isWelcome =
          (login === undefined || authorization === basicValue(login)) &&
          (identity === undefined || form.refresh_token === identity);
        if (!isWelcome) return response.writeHead(401).end();
        const scope = url.searchParams.get('scope') ?? form.scope ?? '';
        const token = `${scope}#${asked.length}`;
        return response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ token, expires_in: lifetime }));
      });
      return false;
    }
    const repository = /^\/v2\/(.+)\/(?:manifests|blobs)\//.exec(url.pathname)?.[1];
    const scope = `repository:${repository}:pull`;
    const sent = request.headers.authorization;
    if (sent?.startsWith(`Bearer ${scope}#`) && honoured()) return true;
    const realm = options.realm ?? registry.url('/token').href;
    const error = sent !== undefined && complaint !== undefined ? `,${complaint}` : '';
    const challenge = `Bearer realm="${realm}",service="test registry",scope="${scope}"${error}`;
    response.writeHead(401, { 'www-authenticate': challenge }).end();
    return false;
  };
  return { gate, asked };
}

async function readBody(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
