import { Agent, fetch } from 'undici';
import { authorityFile } from '../../appliance/stages/stack/gateway/certificate-files.ts';
import { chatName, chatUrl } from '../host/boot/first-booted.ts';
import type { FastHost } from '../host/machine/fast-host.ts';

/** The model that all servers have. */
export const model = 'tiny:1b';

/** More tokens than the model generates while a test runs. */
const endless = 150_000;

/** A user of the chat UI, who is signed in and connects to the first server over TLS. */
export class ChatUser {
  readonly #agent: Agent;
  readonly #token: string;
  readonly #answers: Answer[] = [];

  private constructor(agent: Agent, token: string) {
    this.#agent = agent;
    this.#token = token;
  }

  /** Signs in as the administrator. */
  static async signIn(host: FastHost): Promise<ChatUser> {
    const { v4: address } = host.addresses;
    const ca = await host.output(`cat /var/lib/landfall/stack/${authorityFile}`);
    const agent = new Agent({
      connect: {
        ca,
        lookup: (_name, { all }, done) =>
          all ? done(null, [{ address, family: 4 }]) : done(null, address, 4),
      },
    });
    const password = await host.output('cat /etc/landfall/secrets/WEBUI_ADMIN_PASSWORD');
    const response = await fetch(new URL('/api/v1/auths/signin', chatUrl), {
      ...{ method: 'POST', dispatcher: agent },
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ops@localhost', password }),
    });
    if (!response.ok) throw new Error(`${chatName} refused the sign-in: ${await response.text()}`);
    const { token } = (await response.json()) as { token: string };
    return new ChatUser(agent, token);
  }

  /** Asks a question, whose answer is streamed. @param tokens of the answer; default: it does not end */
  ask(tokens = endless): Answer {
    const answer = new Answer();
    this.#answers.push(answer);
    void answer.read(
      fetch(new URL('/api/chat/completions', chatUrl), {
        ...{ method: 'POST', dispatcher: this.#agent, signal: answer.signal },
        headers: { 'content-type': 'application/json', authorization: `Bearer ${this.#token}` },
        body: JSON.stringify({
          ...{ model, stream: true, max_tokens: tokens },
          messages: [{ role: 'user', content: 'Why is the sky blue?' }],
        }),
      }),
    );
    return answer;
  }

  /** Asks several questions at the same time. */
  askMany(count: number, tokens?: number): Answer[] {
    return Array.from({ length: count }, () => this.ask(tokens));
  }

  /** Cancels all answers in progress. */
  async close(): Promise<void> {
    for (const answer of this.#answers) answer.cancel();
    await this.#agent.destroy();
  }
}

/**
 * `whole`: with its end. `cut`: the connection was closed within it. `refused`: an error instead of an
 * answer.
 */
type AnswerState = 'waiting' | 'streaming' | 'whole' | 'cut' | 'refused' | 'cancelled';

/** An answer as the browser receives it. */
export class Answer {
  state: AnswerState = 'waiting';
  /** The last bytes, or the error. */
  last = '';
  readonly #end = Promise.withResolvers<AnswerState>();
  readonly #abort = new AbortController();

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Resolves with its last state. */
  get end(): Promise<AnswerState> {
    return this.#end.promise;
  }

  /** Ends it as a user does with the button. */
  cancel(): void {
    if (this.state === 'waiting' || this.state === 'streaming') this.state = 'cancelled';
    this.#abort.abort();
  }

  async read(asked: ReturnType<typeof fetch>): Promise<void> {
    try {
      const response = await asked;
      if (!response.ok) {
        this.last = `${response.status} ${await response.text()}`;
        this.state = 'refused';
        return;
      }
      for await (const chunk of response.body ?? []) {
        if (this.state === 'waiting') this.state = 'streaming';
        this.last = `${this.last}${Buffer.from(chunk)}`.slice(-1000);
      }
      this.state = this.last.includes('data: [DONE]') ? 'whole' : 'cut';
    } catch (error) {
      this.last += ` ${error}`;
      if (this.state !== 'cancelled') this.state = 'cut';
    } finally {
      this.#end.resolve(this.state);
    }
  }
}
