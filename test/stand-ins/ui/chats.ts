import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { builtInTools } from './built-in-tools.ts';
import { ChatRows, type Message } from './chat-rows.ts';
import type { ModelEntries } from './model-entries.ts';
import { serviceOf } from './models.ts';
import { messages, refusal } from './replies.ts';
import type { UiSettings } from './settings.ts';
import type { User } from './users.ts';
import type { Revision } from './variants.ts';

/** The body that the page sends for the first message (Open WebUI 0.12, main.py). */
interface FirstMessage {
  readonly model: string;
  readonly params?: { readonly max_tokens?: number; readonly function_calling?: string };
  readonly session_id?: string;
  readonly id: string;
  readonly parent_id: null;
  readonly user_message: { readonly id: string; readonly content: string };
  readonly background_tasks?: Readonly<Record<string, boolean>>;
}

interface GenerationOptions {
  readonly tools?: readonly object[];
  readonly limit?: number;
}

/** Returns whether a request of `/api/chat/completions` is the first message of a page. */
export function isFirstMessage(body: object): body is FirstMessage {
  return 'parent_id' in body && body.parent_id === null && 'user_message' in body;
}

/**
 * The chats, in the data volume. A reply is written in the background; with a session the original
 * adds its tools to the request, and afterwards it generates a title, tags and questions.
 */
export class Chats {
  readonly #rows: ChatRows;
  readonly #settings: UiSettings;
  readonly #entries: ModelEntries;
  /** Running tasks, by chat. */
  readonly #tasks = new Map<string, string>();

  constructor(
    database: DatabaseSync,
    revision: Revision,
    settings: UiSettings,
    entries: ModelEntries,
  ) {
    this.#rows = new ChatRows(database, revision);
    this.#settings = settings;
    this.#entries = entries;
  }

  /** Starts a chat (`POST /api/chat/completions`). */
  start(asked: FirstMessage, user: User): Response {
    const { allows } = this.#access(user, asked.model);
    if (!allows) return refusal(403, 'Model not found');
    const [id, task] = [randomUUID(), randomUUID()];
    const question: Message = { ...asked.user_message, role: 'user' };
    const reply: Message = {
      ...{ id: asked.id, parentId: question.id, childrenIds: [] },
      ...{ role: 'assistant', content: '', done: false },
    };
    this.#rows.save(id, user.id, {
      ...{ title: 'New Chat', models: [asked.model], tags: [] },
      history: {
        messages: { [question.id]: question, [reply.id]: reply },
        currentId: reply.id,
      },
    });
    this.#tasks.set(id, task);
    void this.#run(asked, id, user.id).finally(() => this.#tasks.delete(id));
    return Response.json({ status: true, task_ids: [task], chat_id: id });
  }

  /** Answers requests about chats and their tasks; undefined for unrelated requests. */
  answer(request: Request, pathname: string, user: User): Response | undefined {
    if (pathname === '/api/tasks') {
      if (user.role !== 'admin') return refusal(401, messages.prohibited);
      return Response.json({ tasks: [...this.#tasks.values()] });
    }
    const task = /^\/api\/tasks\/chat\/([\w-]+)(\/stop)?$/.exec(pathname);
    if (task)
      return Response.json({
        task_ids: [this.#tasks.get(task[1] ?? '')].flatMap((id) => id ?? []),
      });
    const id = /^\/api\/v1\/chats\/([\w-]+)$/.exec(pathname)?.[1];
    if (id === undefined) return undefined;
    const chat = this.#rows.read(id);
    const isOwner = chat?.user_id === user.id;
    // ENABLE_ADMIN_CHAT_ACCESS is on by default.
    const mayRead = isOwner || (user.role === 'admin' && request.method === 'GET');
    if (!chat || !mayRead) return refusal(401, messages.missing);
    if (request.method === 'DELETE') {
      this.#rows.remove(id, user.id);
      return Response.json(true);
    }
    return Response.json(chat);
  }

  #access(user: User, model: string) {
    return { allows: this.#settings.modelsForEveryone || this.#entries.allows(user, model) };
  }

  async #run(asked: FirstMessage, id: string, owner: string): Promise<void> {
    const reply = await this.#generate(asked);
    const { background_tasks: wanted = {} } = asked;
    const { tasks } = this.#settings;
    const tasksRun = [
      ...(wanted.title_generation && tasks.title ? ['title'] : []),
      ...(wanted.follow_up_generation && tasks.followUps ? ['followUps'] : []),
      ...(wanted.tags_generation && tasks.tags ? ['tags'] : []),
    ];
    for (const task of tasksRun) {
      await this.#ask(asked.model, `Generate ${task} for: ${asked.user_message.content}`, {});
    }
    const stored = this.#rows.read(id);
    if (!stored) return;
    const { chat } = stored;
    const written: Message = {
      ...{ id: asked.id, parentId: asked.user_message.id, childrenIds: [] },
      ...{ role: 'assistant', done: true, ...reply },
      ...(tasksRun.includes('followUps') ? { followUps: ['And then?'] } : {}),
    };
    const history = {
      ...chat.history,
      messages: { ...chat.history.messages, [asked.id]: written },
    };
    const title = asked.user_message.content.slice(0, 100);
    const tags = tasksRun.includes('tags') ? ['general'] : [];
    this.#rows.save(id, owner, { ...chat, title, tags, history });
  }

  async #generate(asked: FirstMessage): Promise<Pick<Message, 'content' | 'error' | 'usage'>> {
    const calling = asked.params?.function_calling ?? this.#settings.functionCalling;
    const tools = asked.session_id && calling !== 'legacy' ? { tools: builtInTools } : {};
    const entry = this.#entries.get(asked.model);
    const limit = asked.params?.max_tokens ?? entry?.params.max_tokens;
    return await this.#ask(asked.model, asked.user_message.content, {
      ...tools,
      ...(limit === undefined ? {} : { limit }),
    });
  }

  /** Returns an error as the content of a message if the model does not respond. */
  async #ask(
    model: string,
    content: string,
    options: GenerationOptions,
  ): Promise<Pick<Message, 'content' | 'error' | 'usage'>> {
    try {
      return await this.#send(model, content, options);
    } catch (error) {
      return { content: '', error: { content: `${error}` } };
    }
  }

  async #send(
    model: string,
    content: string,
    { tools, limit }: GenerationOptions,
  ): Promise<Pick<Message, 'content' | 'error' | 'usage'>> {
    const messages = [{ role: 'user', content }];
    const service = await serviceOf(model, this.#settings);
    const given = { model, messages, stream: false, ...(tools ? { tools } : {}) };
    const answer = service
      ? await fetch(`${service.base}/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${service.key}` },
          body: JSON.stringify({ ...given, ...(limit ? { max_tokens: limit } : {}) }),
        })
      : await fetch(`${this.#settings.engine}/api/chat`, {
          method: 'POST',
          body: JSON.stringify({ ...given, options: limit ? { num_predict: limit } : {} }),
        });
    const text = await answer.text();
    if (!answer.ok) return { content: '', error: { content: text } };
    const said = JSON.parse(text) as {
      message?: { content: string };
      choices?: Array<{ message: { content: string } }>;
      prompt_eval_count?: number;
    };
    return {
      content: said.message?.content ?? said.choices?.[0]?.message.content ?? '',
      usage: said.prompt_eval_count ? { prompt_tokens: said.prompt_eval_count } : {},
    };
  }
}
