/** What a request of any API says. */
export interface Turn {
  readonly model: string;
  readonly stream: boolean;
  /** Names of the tools that the model may call. */
  readonly tools: readonly string[];
  /** The text of the user and of the instructions. */
  readonly prompt: string;
  /** The results of tools, in their order. */
  readonly results: readonly string[];
}

/** What the model answers: a text, or a call of a tool. The input of a free-form tool is a text. */
export type Reply =
  | { readonly text: string }
  | { readonly tool: string; readonly input: object | string };

/** An API: how its requests are read, and how a reply is written. */
export interface Format {
  /** @throws Malformed for a request that the real API rejects */
  read(body: Body, path: string): Turn;
  /** @param turns number of earlier replies, for unique names of calls */
  write(reply: Reply, turn: Turn, turns: number): Response;
}

export type Body = Readonly<Record<string, unknown>>;

/** A request that the real API rejects with status 400. */
export class Malformed extends Error {}

/** @throws Malformed */
export function check(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Malformed(message);
}

/** The result of each call must follow it. @throws Malformed for another result, or one that is missing */
export function requireResults(calls: readonly string[], results: readonly string[]): void {
  const missing = calls.filter((id) => !results.includes(id));
  check(missing.length === 0, `calls without a result: ${missing}`);
  const unknown = results.filter((id) => !calls.includes(id));
  check(unknown.length === 0, `results without a call: ${unknown}`);
}

/** Returns the text in a field that is a string, a part with text, or a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('\n');
  const { text, output, content: inner } = (content ?? {}) as Record<string, unknown>;
  return textOf(text ?? output ?? inner ?? '');
}

/** Divides a text, as a stream does. */
export function piecesOf(text: string): string[] {
  return text.match(/.{1,7}/gsu) ?? [];
}

/** Returns a stream of events, each with its type if the API names it. */
export function events(all: readonly (object | string)[], named = false): Response {
  const lines = all.map((each) => {
    const name = named && typeof each === 'object' && 'type' in each ? `event: ${each.type}\n` : '';
    return `${name}data: ${typeof each === 'string' ? each : JSON.stringify(each)}\n\n`;
  });
  return new Response(lines.join(''), { headers: { 'content-type': 'text/event-stream' } });
}
