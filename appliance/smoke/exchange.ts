import { Agent, type FormData, request } from 'undici';
import { anyCertificate } from './any-certificate.ts';

export interface Call {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as multipart/form-data, in the place of a body. */
  readonly form?: FormData;
  /** Where to connect to, whatever the URL's host is. */
  readonly address?: string;
  /** Milliseconds for all of it. */
  readonly patience?: number;
}

export interface Answer {
  readonly status: number;
  header(name: string): string | undefined;
  readonly text: string;
}

const defaultPatience = 20_000;
/** Pages of a chat UI are large; more than this is read by nobody. Bytes. */
const largestAnswer = 8 << 20;

/** One exchange over HTTP. Whether the certificate is good is a test of its own. */
export async function exchange(url: string, call: Call = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body, form, patience = defaultPatience } = call;
  const dispatcher = connectTo(call.address);
  try {
    const answer = await request(url, {
      method,
      dispatcher,
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      body: form ?? (body === undefined ? null : JSON.stringify(body)),
      signal: AbortSignal.timeout(patience),
    });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of answer.body) {
      size += chunk.length;
      if (size > largestAnswer) throw new Error('the answer does not end');
      chunks.push(chunk);
    }
    return {
      status: answer.statusCode,
      header: (name) => [answer.headers[name.toLowerCase()]].flat()[0],
      text: Buffer.concat(chunks).toString('utf8'),
    };
  } finally {
    await dispatcher.destroy();
  }
}

/** Connects to one address for every name, as a browser would with that name in its hosts file. */
export function connectTo(address: string | undefined): Agent {
  const family = address?.includes(':') ? 6 : 4;
  return new Agent({
    connect: {
      ...anyCertificate,
      ...(address
        ? {
            lookup: (_name, options, done) =>
              options.all ? done(null, [{ address, family }]) : done(null, address, family),
          }
        : {}),
    },
  });
}

/** The JSON in an answer. @throws Error when the status is another or the body is no JSON */
export function jsonOf(answer: Answer, status = 200): unknown {
  if (answer.status !== status) throw new Error(`status ${answer.status} instead of ${status}`);
  try {
    return JSON.parse(answer.text);
  } catch {
    throw new Error('the answer is not JSON');
  }
}

/** @throws Error when a status is not the one that has to be */
export function expectStatus({ status }: Answer, ...expected: number[]): void {
  if (expected.includes(status)) return;
  throw new Error(`status ${status} instead of ${expected.join(' or ')}`);
}
