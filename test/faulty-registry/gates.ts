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

/** Requires user and password with every request. */
export function basicGate(login: Login): Gate {
  return ({ request, response }) => {
    if (request.headers.authorization === basicValue(login)) return true;
    response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end();
    return false;
  };
}

export interface TokenGateOptions {
  /** URL of the token service; default `/token` of the registry. */
  readonly realm?: string | undefined;
  /** The login for a token; absent: anonymous. */
  readonly login?: Login | undefined;
  /** The required identity token of a form. */
  readonly identity?: string | undefined;
  /** Lifetime of tokens in seconds. */
  readonly lifetime?: number | undefined;
  /** Whether tokens are accepted; default true. */
  readonly honoured?: () => boolean;
  /** Added to the challenge for a rejected token, such as `error="insufficient_scope"`. */
  readonly complaint?: string | undefined;
}

/** A request to a realm. */
export interface TokenAsked {
  readonly method: string;
  readonly query: Record<string, string>;
  readonly form: Record<string, string>;
  readonly authorization: string | undefined;
}

/** Requires numbered bearer tokens for one scope each, from a realm at `/token`. */
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
