import { randomUUID } from 'node:crypto';
import { chatName } from '../boot/first-booted.ts';
import type { FastHost } from '../machine/fast-host.ts';

/** What a user has in the chat UI: a chat and a document. */
export class ChatData {
  readonly #host: FastHost;
  readonly #token: string;
  readonly #chat: string;
  readonly #file: string;

  private constructor(host: FastHost, token: string, chat: string, file: string) {
    this.#host = host;
    this.#token = token;
    this.#chat = chat;
    this.#file = file;
  }

  /** Signs in as the administrator, changes the password, starts a chat and uploads a document. */
  static async create(host: FastHost): Promise<ChatData> {
    const password = await host.output('cat /etc/landfall/secrets/WEBUI_ADMIN_PASSWORD');
    const signIn = (body: object) => call(host, '/api/v1/auths/signin', '', body);
    const { token: first } = await signIn({ email: 'ops@localhost', password });
    const next = { password, new_password: 'Changed-in-the-UI-1!' };
    await call(host, '/api/v1/auths/update/password', `${first}`, next);
    const { token } = await signIn({ email: 'ops@localhost', password: next.new_password });
    const message = { id: randomUUID(), parentId: null, content: 'remember the milk' };
    const asked = { model: 'none', id: randomUUID(), parent_id: null, user_message: message };
    const { chat_id: chat } = await call(host, '/api/chat/completions', `${token}`, asked);
    const form = "-F 'file=@/etc/debian_version;filename=notes.txt;type=text/plain'";
    const { id } = await call(host, '/api/v1/files/', `${token}`, form);
    return new ChatData(host, `${token}`, `${chat}`, `${id}`);
  }

  /** Returns the same data on another server. */
  on(host: FastHost): ChatData {
    return new ChatData(host, this.#token, this.#chat, this.#file);
  }

  /** Returns what the user finds: the first message of the chat, and the text of the document. */
  async found(): Promise<{ readonly chat: boolean; readonly document: boolean }> {
    const chat = await call(this.#host, `/api/v1/chats/${this.#chat}`, this.#token);
    const query = { collection_name: `file-${this.#file}`, query: 'debian' };
    const found = await call(this.#host, '/api/v1/retrieval/query/doc', this.#token, query);
    return {
      chat: JSON.stringify(chat).includes('remember the milk'),
      document: Array.isArray(found?.documents),
    };
  }
}

/** Sends a request on the server, without the gateway. @param body JSON, or options of curl */
async function call(
  host: FastHost,
  path: string,
  token: string,
  body?: object | string,
): Promise<Record<string, unknown>> {
  const json = `-H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
  const data = body === undefined ? '' : typeof body === 'string' ? body : json;
  const headers = `-H 'host: ${chatName}' -H 'authorization: Bearer ${token}'`;
  return JSON.parse(await host.output(`curl -sS ${headers} ${data} http://127.0.0.1:3000${path}`));
}
