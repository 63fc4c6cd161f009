import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { portOf } from '../../appliance/shared/smoke/closing-servers.ts';
import type { Handler } from '../serve.ts';
import { uiApp } from './app.ts';
import { readSettings } from './settings.ts';
import type { Variant } from './variants.ts';

/** The secret key of these chat UIs. */
export const secretKey = 'a-key-that-stays';
const email = 'ops@example.org';
const password = 'the-password';

/** Ollama with one reply and one vector. */
const ollama: Handler = (request) =>
  Response.json(
    request.url.endsWith('/api/embed')
      ? { embeddings: [[1, 2]] }
      : { message: { content: 'Hello.' } },
  );

/** Fields of responses; each endpoint returns a few of them. */
interface Fields {
  readonly token: string;
  readonly id: string;
  readonly path: string;
  readonly chat_id: string;
  readonly task_ids: readonly string[];
  readonly documents: ReadonlyArray<readonly string[]>;
  readonly users: readonly object[];
  readonly total: number;
}

/** A chat UI with an administrator, an Ollama, and the data of a folder. */
export class UiRig {
  /** What answers requests, for a server. */
  readonly app: Handler;

  private constructor(app: Handler) {
    this.app = app;
  }

  /** @throws Error when the database cannot be migrated */
  static async start(data: string, variant?: Variant): Promise<UiRig> {
    const settings = readSettings({
      ...{ DATA_DIR: data, WEBUI_SECRET_KEY: secretKey, ENABLE_OPENAI_API: 'False' },
      ...{ WEBUI_ADMIN_EMAIL: email, WEBUI_ADMIN_PASSWORD: password },
      ...{ RAG_EMBEDDING_ENGINE: 'ollama', BYPASS_MODEL_ACCESS_CONTROL: 'True' },
      OLLAMA_BASE_URL: `http://127.0.0.1:${await portOf(ollama)}`,
    });
    return new UiRig(uiApp(settings, variant));
  }

  /** Sends JSON, a form, or nothing. Returns the status and the JSON of the response. */
  async call(path: string, token: string, body?: object, method = body ? 'POST' : 'GET') {
    const request = new Request(`http://ui${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    const response = await this.app(request);
    return { status: response.status, body: (await response.json()) as Fields };
  }

  /** Returns a token of an account; default: the administrator. */
  async signIn(account: object = { email, password }): Promise<string> {
    return (await this.call('/api/v1/auths/signin', '', account)).body.token;
  }

  /** Adds an account. Returns its token. */
  async addUser(name: string): Promise<string> {
    const account = { name, email: `${name}@example.org`, password: 'Aa1!aaaa', role: 'user' };
    await this.call('/api/v1/auths/add', await this.signIn(), account);
    return await this.signIn(account);
  }

  /** Sends the first message of a chat and waits for the reply. Returns the id of the chat. */
  async chat(token: string, content: string): Promise<string> {
    const message = { id: randomUUID(), parentId: null, content };
    const asked = { model: 'tiny:1b', id: randomUUID(), parent_id: null, user_message: message };
    const { body } = await this.call('/api/chat/completions', token, asked);
    const tasks = () => this.call(`/api/tasks/chat/${body.chat_id}`, token);
    while ((await tasks()).body.task_ids.length > 0) await sleep(5);
    return body.chat_id;
  }

  /** Uploads a text. Returns the file. */
  async upload(token: string, name: string, text: string) {
    const body = new FormData();
    body.append('file', new File([text], name, { type: 'text/plain' }));
    return (await this.call('/api/v1/files/', token, body)).body;
  }
}
