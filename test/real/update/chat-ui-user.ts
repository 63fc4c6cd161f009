import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { jsonOf } from '../../../appliance/shared/smoke/exchange.ts';
import type { SmokeTarget } from '../../../appliance/shared/smoke/target.ts';
import { callUi, signInAs } from '../../../appliance/shared/smoke/ui-session.ts';

export interface Account {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** Fields of responses; each endpoint returns a few of them. */
interface Fields {
  readonly id: string;
  readonly chat_id: string;
  readonly task_ids: readonly string[];
  readonly data: { readonly status: string };
  readonly documents: ReadonlyArray<readonly string[]>;
}

/** A user of the chat UI, who uses the API as the page does. */
export class ChatUiUser {
  readonly #target: SmokeTarget;
  readonly #token: string;

  private constructor(target: SmokeTarget, token: string) {
    this.#target = target;
    this.#token = token;
  }

  static async signIn(target: SmokeTarget, account: Omit<Account, 'name'>): Promise<ChatUiUser> {
    return new ChatUiUser(target, await signInAs(target, account));
  }

  /** Adds an account, as an administrator. */
  async add(account: Account): Promise<void> {
    await this.#call('/api/v1/auths/add', { ...account, role: 'user' });
  }

  /** Sends the first message of a chat, and waits for the reply. */
  async chat(model: string, content: string): Promise<void> {
    const { chat_id: id } = await this.#call('/api/chat/completions', firstMessage(model, content));
    while ((await this.#call(`/api/tasks/chat/${id}`)).task_ids.length > 0) await sleep(100);
  }

  /** Imports chats of two messages. @param size characters of each reply */
  async importChats(count: number, size: number): Promise<void> {
    const chats = Array.from({ length: count }, () => ({ chat: longChat(size) }));
    await this.#call('/api/v1/chats/import', { chats });
  }

  /** Uploads a text. Returns its id. */
  async upload(name: string, text: string): Promise<string> {
    const form = new FormData();
    form.append('file', new Blob([text], { type: 'text/plain' }), name);
    const path = '/api/v1/files/?process=true&process_in_background=false';
    const { id } = jsonOf(await callUi(this.#target, path, { form }, this.#token)) as Fields;
    const { data } = await this.#call(`/api/v1/files/${id}`);
    if (data.status !== 'completed') throw new Error(`the document is ${data.status}`);
    return id;
  }

  /** Returns the parts of a document that a question finds. */
  async find(id: string, query: string): Promise<string[]> {
    const body = { collection_name: `file-${id}`, query, k: 1 };
    const { documents } = await this.#call('/api/v1/retrieval/query/doc', body);
    return documents.flat();
  }

  async #call(path: string, body?: object): Promise<Fields> {
    const call = { ...(body && { body }), timeout: 60_000 };
    return jsonOf(await callUi(this.#target, path, call, this.#token)) as Fields;
  }
}

/** Returns the body that the page sends for the first message of a chat. */
function firstMessage(model: string, content: string): object {
  const reply = randomUUID();
  const common = { parentId: null, childrenIds: [reply], role: 'user', models: [model] };
  const timestamp = Math.floor(Date.now() / 1000);
  return {
    ...{ stream: true, model, params: { max_tokens: 16 } },
    ...{ tool_ids: [], tool_servers: [], variables: {}, features: {} },
    session_id: `test-${randomBytes(8).toString('hex')}`,
    ...{ id: reply, parent_id: null },
    message_ids: [{ model_id: model, message_id: reply, modelIdx: 0 }],
    user_message: { id: randomUUID(), ...common, content, timestamp },
    background_tasks: {},
  };
}

/** Returns a chat as the page exports it. */
function longChat(size: number): object {
  const [question, reply] = [randomUUID(), randomUUID()];
  const messages = {
    [question]: {
      ...{ id: question, parentId: null, childrenIds: [reply], role: 'user' },
      content: 'A long question.',
    },
    [reply]: {
      ...{ id: reply, parentId: question, childrenIds: [], role: 'assistant', done: true },
      content: randomBytes(size / 2).toString('hex'),
    },
  };
  return { title: 'A long chat', models: [], history: { messages, currentId: reply } };
}
