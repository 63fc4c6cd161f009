import { valueAt } from '../../../../appliance/relay/budget/check-fields.ts';
import type { Outgoing } from '../../../../appliance/relay/provider.ts';
import { type Plan, shapes } from '../strict/counting.ts';

/** What a model does with one request, and what its provider does besides. */
export interface Behavior {
  /** Tokens for a byte of the prompt, at most 1. */
  readonly density: number;
  /** Tokens of each answer if nothing limits it, and how many of them the client sees. */
  readonly wants: number;
  readonly visible: number;
  /** How usage is reported. `choices`: inside of them, as by Moonshot. */
  readonly usage: 'reported' | 'silent' | 'choices';
  /** `error`: status 500. `reset`: the connection is lost before the answer. `cut`: during it. */
  readonly failure: 'none' | 'error' | 'reset' | 'cut';
  /** Whether the model goes on when the client has left. */
  readonly goesOn: boolean;
}

/** The fields that limit an answer in each API, where the first one is newer. */
const limitPaths: Readonly<Record<string, readonly string[]>> = {
  '/chat/completions': ['max_completion_tokens', 'max_tokens'],
  '/completions': ['max_tokens'],
  '/responses': ['max_output_tokens'],
  '/messages': ['max_tokens'],
  ':generateContent': ['generationConfig.maxOutputTokens', 'generation_config.max_output_tokens'],
  ':streamGenerateContent': ['generationConfig.maxOutputTokens'],
  '/api/chat': ['options.num_predict'],
  '/api/generate': ['options.num_predict'],
  '/embeddings': [],
  '/api/embed': [],
};
const countPaths = ['n', 'best_of', 'generationConfig.candidateCount'];

/** Thrown for a connection that is lost. */
const lost = () => Object.assign(new Error('lost'), { code: 'ECONNRESET' });

/**
 * A provider that counts for itself, in memory. The model of a request is the number of its behavior.
 * It obeys the limits that its API has, and rejects fields that it does not know.
 */
export class BoundedProvider {
  readonly #behaviors: readonly Behavior[];
  /** Fields that its chat rejects, such as `stream_options`. */
  readonly #rejects: ReadonlySet<string>;
  /** Tokens that it has counted. */
  counted = 0;

  constructor(behaviors: readonly Behavior[], rejects: readonly string[]) {
    this.#behaviors = behaviors;
    this.#rejects = new Set(rejects);
  }

  readonly send = async (url: string, outgoing: Outgoing): Promise<Response> => {
    const { pathname, searchParams, hostname } = new URL(url);
    const text = await new Response(outgoing.body).text();
    const body: Readonly<Record<string, unknown>> = JSON.parse(text);
    const isChat = hostname === 'openai' && pathname.endsWith('/chat/completions');
    const unknown = Object.keys(body).find((name) => isChat && this.#rejects.has(name));
    if (unknown) return json(422, refusalOf(unknown));
    const name = `${body.model ?? /models\/(\w+):/.exec(pathname)?.[1]}`;
    const behavior = this.#behaviors[Number(name.slice(1))];
    if (!behavior) throw new Error(`no behavior for ${name}`);
    if (behavior.failure === 'error') return json(500, { error: { message: 'overloaded' } });

    const [end = '', shape] =
      Object.entries(shapes).find(([each]) => pathname.endsWith(each)) ?? [];
    const isEmbedding = end.includes('embed');
    const limit = limitOf(body, limitPaths[end] ?? []);
    const count = Math.max(...countPaths.map((path) => Number(valueAt(body, path) ?? 1)));
    const each = isEmbedding ? 0 : Math.min(behavior.wants, limit);
    const plan = planOf(JSON.stringify(body.messages), each * count, behavior);
    const isStream = body.stream === true || searchParams.has('alt');
    const isAsked = end !== '/chat/completions' && end !== '/completions';
    const reports =
      behavior.usage !== 'silent' &&
      (isAsked || !isStream || valueAt(body, 'stream_options.include_usage') === true);

    // A provider that goes on counts everything, whatever becomes of the connection.
    const total = plan.prompt + plan.answer;
    if (behavior.goesOn || !isStream) this.counted += total;
    if (behavior.failure === 'reset') {
      if (!behavior.goesOn && isStream) this.counted += plan.prompt;
      throw lost();
    }
    if (!isStream) {
      if (behavior.failure === 'cut') return new Response(cutBody(), { headers: jsonType });
      const value = shape?.whole(plan, reports) ?? {};
      return json(200, reports && behavior.usage === 'choices' ? inChoices(value) : value);
    }
    const events = shape?.stream(plan, reports) ?? [];
    const count1 = (part: number) => {
      if (!behavior.goesOn) this.counted += part;
    };
    const type = shape?.type ?? 'text/event-stream';
    const stream = streamOf(events, plan, behavior.failure === 'cut', outgoing.signal, count1);
    return new Response(stream, { headers: { 'content-type': type } });
  };
}

const jsonType = { 'content-type': 'application/json' };

function json(status: number, value: object): Response {
  return new Response(JSON.stringify(value), { status, headers: jsonType });
}

function refusalOf(field: string): object {
  const newer = 'max_completion_tokens';
  if (field !== 'max_tokens')
    return { detail: [{ type: 'extra_forbidden', loc: ['body', field] }] };
  return { error: { message: `Unsupported parameter: '${field}'. Use '${newer}' instead.` } };
}

function limitOf(body: object, paths: readonly string[]): number {
  const value = paths.map((path) => valueAt(body, path)).find((each) => each !== undefined);
  return typeof value === 'number' && value > 0 ? value : Number.POSITIVE_INFINITY;
}

function planOf(prompted: string, answer: number, { density, visible }: Behavior): Plan {
  const bytes = Buffer.byteLength(prompted);
  const words = Math.min(Math.ceil(answer * visible), 40);
  const pieces = Array.from({ length: Math.max(1, words) }, (_, at) => `w${at} `);
  const prompt = Math.max(1, Math.floor(bytes * density));
  return { prompt, answer, pieces, ending: 'reported', chunk: 1 };
}

function inChoices(value: object): object {
  const { usage, choices, ...rest } = value as { usage?: object; choices?: readonly object[] };
  if (!choices || !usage) return value;
  return { ...rest, choices: choices.map((choice) => ({ ...choice, usage })) };
}

function cutBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.error(lost()) });
}

/** Streams events one by one, and counts their part of the tokens before they are sent. */
function streamOf(
  events: readonly string[],
  { prompt, answer }: Plan,
  isCut: boolean,
  signal: AbortSignal,
  count: (tokens: number) => void,
): ReadableStream<Uint8Array> {
  let at = 0;
  let rest = answer;
  count(prompt);
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        signal.addEventListener('abort', () => controller.error(new Error('aborted')));
      },
      pull(controller) {
        const event = events[at];
        at += 1;
        if (isCut && at > events.length / 2) return controller.error(lost());
        if (event === undefined) return controller.close();
        const part =
          at === events.length ? rest : Math.min(rest, Math.ceil(answer / events.length));
        rest -= part;
        count(part);
        controller.enqueue(new TextEncoder().encode(event));
      },
    },
    { highWaterMark: 0 },
  );
}
